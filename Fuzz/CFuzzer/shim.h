// libFuzzer's entry for programs with a main function of their own. The compiler links the library
// (-sanitize=fuzzer) but ships no header for it.
#ifndef CFUZZER_SHIM_H
#define CFUZZER_SHIM_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(
    int *count, char ***arguments, int (*test)(const uint8_t *bytes, size_t count));

#endif
