//! Writes a table in each format, as plainly as can be.

use std::io::Write;

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder};
use mge_data::{Table, Values};

/// The text of a cell, `None` if it is missing.
fn cell(values: &Values, row: usize) -> Option<String> {
    match values {
        Values::Number(cells) => (!cells[row].is_nan()).then(|| cells[row].to_string()),
        Values::Text(text) => text.get(row).map(str::to_owned),
    }
}

/// The cells of a column of truth values.
fn truths(values: &Values, rows: usize) -> Option<Vec<Option<bool>>> {
    let Values::Text(text) = values else { return None };
    let mut cells = Vec::new();
    for row in 0..rows {
        cells.push(match text.get(row).map(str::to_ascii_lowercase).as_deref() {
            None => None,
            Some("true") => Some(true),
            Some("false") => Some(false),
            Some(_) => return None,
        });
    }
    cells.iter().any(Option::is_some).then_some(cells)
}

pub fn csv(table: &Table) -> Vec<u8> {
    let mut text = Vec::new();
    table.write_csv(&mut text).unwrap();
    text
}

/// With another delimiter, line end and byte order mark, every cell in quotation marks.
pub fn separated(table: &Table, delimiter: &str, decimal_comma: bool) -> Vec<u8> {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let mut text = String::from("\u{feff}");
    let names: Vec<String> = table.columns().iter().map(|c| quoted(&c.name)).collect();
    text += &(names.join(delimiter) + "\r\n");
    for row in 0..table.rows() {
        let cell = |values: &Values| {
            let text = cell(values, row).unwrap_or_default();
            let number = decimal_comma && matches!(values, Values::Number(_));
            quoted(&if number { text.replace('.', ",") } else { text })
        };
        let cells: Vec<String> = table.columns().iter().map(|c| cell(&c.values)).collect();
        text += &(cells.join(delimiter) + "\r\n");
    }
    text.into_bytes()
}

fn arff_quoted(text: &str) -> String {
    let escaped = text
        .replace('\\', "\\\\")
        .replace('\'', "\\'")
        .replace('\n', "\\n")
        .replace('\r', "\\r")
        .replace('\t', "\\t");
    format!("'{escaped}'")
}

pub fn arff(table: &Table, sparse: bool) -> Vec<u8> {
    let mut text = String::from("% made\n@RELATION 'a table'\n\n");
    for column in table.columns() {
        let kind = match &column.values {
            Values::Number(_) => "numeric".to_owned(),
            Values::Text(values) if values.categories().is_empty() => "string".to_owned(),
            Values::Text(values) => {
                let values = values.categories().iter().map(|v| arff_quoted(v));
                format!("{{{}}}", values.collect::<Vec<_>>().join(","))
            }
        };
        text += &format!("@attribute {} {kind}\n", arff_quoted(&column.name));
    }
    text += "@data\n";
    for row in 0..table.rows() {
        let cell = |values: &Values| match (cell(values, row), values) {
            (None, _) => "?".to_owned(),
            (Some(text), Values::Number(_)) => text,
            (Some(text), Values::Text(_)) => arff_quoted(&text),
        };
        let cells: Vec<String> = table.columns().iter().map(|c| cell(&c.values)).collect();
        if sparse {
            let listed = cells.iter().enumerate().filter(|(_, cell)| *cell != "0");
            let listed: Vec<String> = listed.map(|(i, cell)| format!("{i} {cell}")).collect();
            text += &format!("{{{}}}\n", listed.join(", "));
        } else {
            text += &(cells.join(",") + "\n");
        }
    }
    text.into_bytes()
}

pub fn npy(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let dict = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n");
    let mut bytes = b"\x93NUMPY\x02\x00".to_vec();
    bytes.extend_from_slice(&(dict.len() as u32).to_le_bytes());
    bytes.extend_from_slice(dict.as_bytes());
    bytes.extend_from_slice(data);
    bytes
}

/// One array for each column, named as it is; every other member is packed.
pub fn npz(table: &Table) -> Vec<u8> {
    let rows = table.rows();
    let array = |values: &Values| match values {
        // NumPy has no missing truth values.
        values if truths(values, rows).is_some_and(|cells| cells.iter().all(Option::is_some)) => {
            let cells = truths(values, rows).unwrap();
            let data: Vec<u8> = cells.iter().map(|cell| u8::from(cell.unwrap())).collect();
            npy("|b1", &format!("({rows},)"), &data)
        }
        Values::Number(cells) => {
            let data: Vec<u8> = cells.iter().flat_map(|x| x.to_le_bytes()).collect();
            npy("<f4", &format!("({rows},)"), &data)
        }
        Values::Text(text) => {
            let cells = (0..rows).map(|row| text.get(row).unwrap_or_default());
            let cells: Vec<Vec<u32>> = cells.map(|c| c.chars().map(u32::from).collect()).collect();
            let width = cells.iter().map(Vec::len).max().unwrap_or(0).max(1);
            let padded = cells.into_iter().flat_map(|mut cell| {
                cell.resize(width, 0);
                cell
            });
            let data: Vec<u8> = padded.flat_map(u32::to_be_bytes).collect();
            npy(&format!(">U{width}"), &format!("({rows}, 1)"), &data)
        }
    };
    let members = table.columns().iter().map(|c| (c.name.clone(), array(&c.values)));
    zip(&members.collect::<Vec<_>>())
}

/// Features and labels, as scikit-learn users save them.
pub fn npz_pair(table: &Table) -> Vec<u8> {
    let (labels, features) = table.columns().split_last().unwrap();
    let mut data = Vec::new();
    for row in 0..table.rows() {
        for column in features {
            let Values::Number(cells) = &column.values else { panic!("numbers only") };
            data.extend_from_slice(&f64::from(cells[row]).to_be_bytes());
        }
    }
    let x = npy(">f8", &format!("({}, {})", table.rows(), features.len()), &data);
    let labels: Vec<u8> = (0..table.rows())
        .flat_map(|row| cell(&labels.values, row).unwrap().parse::<i64>().unwrap().to_le_bytes())
        .collect();
    zip(&[("y".into(), npy("<i8", &format!("({},)", table.rows()), &labels)), ("X".into(), x)])
}

pub fn zip(members: &[(String, Vec<u8>)]) -> Vec<u8> {
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    for (index, (name, bytes)) in members.iter().enumerate() {
        let name = format!("{name}.npy");
        let packed = index % 2 == 1;
        let data = if packed {
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        } else {
            bytes.clone()
        };
        let mut sum = flate2::Crc::new();
        sum.update(bytes);
        let mut common = Vec::new();
        let mut put = |number: u32, size: usize| {
            common.extend_from_slice(&number.to_le_bytes()[..size]);
        };
        [(20, 2), (0, 2), (if packed { 8 } else { 0 }, 2), (0, 4), (sum.sum(), 4)]
            .into_iter()
            .for_each(|(number, size)| put(number, size));
        put(data.len() as u32, 4);
        put(bytes.len() as u32, 4);
        put(name.len() as u32, 2);
        put(0, 2);
        directory.extend_from_slice(b"PK\x01\x02\x14\x00");
        directory.extend_from_slice(&common);
        directory.extend_from_slice(&[0; 10]);
        directory.extend_from_slice(&(archive.len() as u32).to_le_bytes());
        directory.extend_from_slice(name.as_bytes());
        archive.extend_from_slice(b"PK\x03\x04");
        archive.extend_from_slice(&common);
        archive.extend_from_slice(name.as_bytes());
        archive.extend_from_slice(&data);
    }
    let (start, size, count) = (archive.len() as u32, directory.len() as u32, members.len() as u16);
    archive.extend_from_slice(&directory);
    archive.extend_from_slice(b"PK\x05\x06\0\0\0\0");
    archive.extend_from_slice(&count.to_le_bytes());
    archive.extend_from_slice(&count.to_le_bytes());
    archive.extend_from_slice(&size.to_le_bytes());
    archive.extend_from_slice(&start.to_le_bytes());
    archive.extend_from_slice(&[0, 0]);
    archive
}

/// Numbers only; the last column holds the labels.
pub fn libsvm(table: &Table) -> Vec<u8> {
    let (labels, features) = table.columns().split_last().unwrap();
    let mut text = String::from("# made\n");
    for row in 0..table.rows() {
        text += &cell(&labels.values, row).unwrap();
        for (index, column) in features.iter().enumerate() {
            match cell(&column.values, row) {
                // The last column is written whole, so that the width is known.
                Some(zero) if zero == "0" && index + 1 < features.len() => {}
                known => text += &format!(" {}:{}", index + 1, known.unwrap_or("nan".into())),
            }
        }
        text.push('\n');
    }
    text.into_bytes()
}

pub fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[cfg(feature = "parquet")]
pub fn parquet(table: &Table, group: usize) -> Vec<u8> {
    use parquet::basic::{Compression, ConvertedType, LogicalType, Repetition, Type};
    use parquet::data_type::{BoolType, ByteArray, ByteArrayType, FloatType};
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::types::Type as Schema;
    use std::sync::Arc;

    let field = |column: &mge_data::Column| {
        let number = matches!(column.values, Values::Number(_));
        let truth = truths(&column.values, table.rows()).is_some();
        let kind = match (number, truth) {
            (true, _) => Type::FLOAT,
            (_, true) => Type::BOOLEAN,
            _ => Type::BYTE_ARRAY,
        };
        let builder = Schema::primitive_type_builder(&column.name, kind)
            .with_repetition(Repetition::OPTIONAL);
        let builder = if number || truth {
            builder
        } else {
            builder
                .with_converted_type(ConvertedType::UTF8)
                .with_logical_type(Some(LogicalType::String))
        };
        Arc::new(builder.build().unwrap())
    };
    let fields = table.columns().iter().map(field).collect();
    let schema = Arc::new(Schema::group_type_builder("t").with_fields(fields).build().unwrap());
    let properties =
        Arc::new(WriterProperties::builder().set_compression(Compression::SNAPPY).build());
    let mut file = SerializedFileWriter::new(Vec::new(), schema, properties).unwrap();
    for start in (0..table.rows()).step_by(group) {
        let rows: Vec<u32> = (start..(start + group).min(table.rows())).map(|r| r as u32).collect();
        let mut writer = file.next_row_group().unwrap();
        for column in table.columns() {
            let mut out = writer.next_column().unwrap().unwrap();
            let known = |row: &&u32| cell(&column.values, **row as usize).is_some();
            let levels: Vec<i16> = rows.iter().map(|row| i16::from(known(&row))).collect();
            let rows = rows.iter().filter(known).map(|&row| row as usize);
            match &column.values {
                Values::Number(cells) => {
                    let values: Vec<f32> = rows.map(|row| cells[row]).collect();
                    out.typed::<FloatType>().write_batch(&values, Some(&levels), None).unwrap();
                }
                values if truths(values, table.rows()).is_some() => {
                    let cells = truths(values, table.rows()).unwrap();
                    let values: Vec<bool> = rows.map(|row| cells[row].unwrap()).collect();
                    out.typed::<BoolType>().write_batch(&values, Some(&levels), None).unwrap();
                }
                Values::Text(text) => {
                    let values: Vec<ByteArray> =
                        rows.map(|row| text.get(row).unwrap().into()).collect();
                    out.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None).unwrap();
                }
            }
            out.close().unwrap();
        }
        writer.close().unwrap();
    }
    file.into_inner().unwrap()
}
