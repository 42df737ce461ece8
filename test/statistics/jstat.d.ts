declare module "jstat" {
  const jStat: {
    readonly chisquare: {
      /** The x with P(X ≤ x) = p for `df` degrees of freedom. */
      inv(p: number, df: number): number;
      cdf(x: number, df: number): number;
    };
  };
  export default jStat;
}
