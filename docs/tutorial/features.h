/* Features of a window of samples, in whole numbers: see windows.py, which computes the same. */
#ifndef FEATURES_H
#define FEATURES_H

#include <stdint.h>

#define WINDOW 64
#define AXES 3
#define FEATURES (3 * AXES)

/* The whole part of a square root. */
static uint16_t root(uint32_t number) {
    uint16_t found = 0;
    for (uint16_t bit = 1u << 15; bit != 0; bit >>= 1) {
        uint16_t next = found | bit;
        if ((uint32_t)next * next <= number) found = next;
    }
    return found;
}

/* Mean, root mean square about the mean, and crossings of the mean, of one axis. */
static void features(const int16_t *axis, int32_t *out) {
    int32_t sum = 0;
    uint32_t squares = 0;
    uint8_t crossings = 0;
    for (uint8_t i = 0; i < WINDOW; ++i) sum += axis[i];
    int16_t mean = (int16_t)(sum >> 6);
    for (uint8_t i = 0; i < WINDOW; ++i) {
        int32_t off = (int32_t)axis[i] - mean;
        squares += (uint32_t)(off * off);
        if (i > 0) crossings += (axis[i] > mean) != (axis[i - 1] > mean);
    }
    out[0] = mean;
    out[1] = root(squares >> 6);
    out[2] = crossings;
}

#endif
