//! Modular Grammatical Evolution on one task: grammar, mapper, variation and fitness joined into a
//! search. Everything that settings and data can get wrong together is found here.

use crate::fit::Evaluation;
use crate::fitness::{Fitness, Objective};
use crate::model::columns_of;
use crate::prepare::Prepared;
use crate::{FitError, Resolved};
use mge_evolve::Generational;
use mge_grammar::mge::{Mapper, Variation};
use mge_grammar::{Shape, Template};
use mge_net::outputs_for;

/// The method, put together for one task.
pub(crate) struct MgeSearch {
    pub generational: Generational<Variation, Fitness>,
    pub codon_bits: u32,
}

impl MgeSearch {
    pub fn new(
        prepared: &Prepared,
        settings: &Resolved,
        evaluation: Evaluation,
    ) -> Result<Self, FitError> {
        let view = &prepared.train.view;
        let outputs = outputs_for(prepared.task.classes().len());
        let shape = Shape { features: view.count(), outputs };
        let template = Template::parse(&settings.grammar.name, &settings.grammar.text)?;
        let grammar = template.bind(shape)?;
        let params = settings.mge.clone().check(&grammar, settings.variant)?;
        let codon_bits = params.codon_bits();
        let mapper = Mapper::new(grammar, settings.variant, settings.mge.wraps)?;
        mapper.check(settings.mge.gene_length, codon_bits)?;
        let (rows, labels) = (columns_of(view), &prepared.train.labels);
        let objective = Objective { loss: settings.loss, weight: settings.data.class_weight };
        let fitness = Fitness::new(mapper, rows, labels, objective, evaluation.memory())?;
        let generational = Generational::new(
            Variation::new(params),
            fitness,
            settings.evolution.clone().check()?,
            settings.seed,
        );
        Ok(Self { generational, codon_bits })
    }
}
