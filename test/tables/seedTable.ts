/** The seed's example as its page prints it: without the two header lines, five pairs a row. */
export const SEED_TABLE = `
      Label Random0 Random0Weight Random1 Random1Weight Random2 Random2Weight Random3 Random3Weight Random4 Random4Weight
0     Start r0      10            r1      25            r2      100           1       25            2       2
1     Set1  r4      s1            r5      s2            r6      25            ****    ****          ****    ****
2     Set2  r10     s1            0       10            ****    ****          ****    ****          ****    ****
`;
