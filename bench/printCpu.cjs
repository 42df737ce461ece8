// Preloaded by --require: prints the CPU time of the process in milliseconds when it ends.
process.once("exit", () => {
  const { user, system } = process.cpuUsage();
  process.stderr.write(`CPU ${(user + system) / 1000} ms\n`);
});
