// Tells how a board moves: 64 samples of an accelerometer, nine features, one network.
// The library windows is what `mge export --to arduino` wrote. features.h lies beside this sketch.
#include <windows.h>
#include "features.h"

// One sample of an axis (0, 1, 2) in thousandths of g. Replace it by your sensor's.
extern int16_t read_axis(uint8_t axis);

static int16_t samples[AXES][WINDOW];

void setup() {
  Serial.begin(9600);
}

void loop() {
  for (uint8_t i = 0; i < WINDOW; ++i) {
    for (uint8_t axis = 0; axis < AXES; ++axis) samples[axis][i] = read_axis(axis);
    delay(10);
  }
  int32_t readings[FEATURES];
  for (uint8_t axis = 0; axis < AXES; ++axis) features(samples[axis], readings + 3 * axis);
  windows_value x[WINDOWS_INPUTS];
  for (uint8_t i = 0; i < WINDOWS_INPUTS; ++i) x[i] = windows_from_reading(i, readings[i]);
  // 128 of 255 is a probability of one half.
  uint8_t kind = windows_predict_if(x, 128);
  if (kind == WINDOWS_REJECTED) {
    Serial.println("not sure");
    return;
  }
#ifdef __AVR__
  Serial.println((const __FlashStringHelper *)windows_label(kind));
#else
  Serial.println(windows_label(kind));
#endif
}
