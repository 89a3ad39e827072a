/* Calls of libgfortran that are logged as a whole. */
#ifndef ACCLIMATE_FORTRAN_IO_H
#define ACCLIMATE_FORTRAN_IO_H

#include <stdbool.h>

/* Such a call runs: what it does inside is already logged. */
bool library_runs(void);

#endif
