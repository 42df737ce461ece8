/** The folder into which npm installed the programs that read back files; `.ci/run` does it and sets the variable. */
export const VARIABLE = "ROLLMILL_TEST_READERS";
export const folder = process.env[VARIABLE];

/** Whether tests that need such a program are skipped. Under CI they fail. */
export const isMissing = folder === undefined && process.env.CI === undefined;
export const SKIPPED = isMissing ? ` (skipped: ${VARIABLE} is not set)` : "";
