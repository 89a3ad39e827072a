/* Updates that are left out of a run: what the program does where they are forgotten. */
#ifndef ACCLIMATE_LEFT_OUT_H
#define ACCLIMATE_LEFT_OUT_H

#include <stdbool.h>

/* Read which ones from the environment: code offsets as the report gives them in `at`. */
void read_left_out(void);

/* Whether the update whose call returns to `at` is one of them; counted if it is. */
bool is_left_out(const void *at);

/* Whether what an update would have brought is spoiled on the side that keeps its own value, so
   that the run differs if anything depends on it. */
bool left_out_is_spoiled(void);

#endif
