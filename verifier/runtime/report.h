/* The summary of a run, written as JSON when the program ends, however it ends. */
#ifndef ACCLIMATE_REPORT_H
#define ACCLIMATE_REPORT_H

#include <stdbool.h>

/* `ended`: "exit", "finding" or "signal". Only the first call writes. */
void write_report(const char *ended);

/* Read the environment and arrange for the report; called by every entry point. */
void start_emulation(void);

/* Whether this is the thread that runs the constructs; MPI libraries have threads of their own. */
bool is_program_thread(void);

#endif
