/*
 * minmax.h - the smaller and the greater of two values of one type; each is evaluated twice.
 */
#pragma once

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
