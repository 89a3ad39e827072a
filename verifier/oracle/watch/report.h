/* The watch begins with a report to write. */
#ifndef ACCLIMATE_ORACLE_REPORT_H
#define ACCLIMATE_ORACLE_REPORT_H

void start(void);

#endif
