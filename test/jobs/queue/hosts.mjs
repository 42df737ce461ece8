// Hosts on one machine: network namespaces, each with a cable of its own to this one. Needs root and iproute2.
import { execFileSync } from "node:child_process";
import { hasProgram } from "./cluster.mjs";

const ip = (...words) => execFileSync("ip", words, { stdio: ["ignore", "ignore", "pipe"] });

/** Whether this process may make network namespaces. */
export function canMakeHosts() {
  if (process.getuid?.() !== 0 || !hasProgram("ip")) return false;
  try {
    execFileSync("unshare", ["--net", "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** A host. */
export class Host {
  #name;
  #cable;
  /** The address of this machine, as the host sees it. */
  server;

  /** @param n - Number of the host, from 1 to 250: no other host of this machine may have it. */
  constructor(n) {
    this.#name = `rollmill-${process.pid}-${n}`;
    this.#cable = `rm${process.pid % 100_000}-${n}`;
    this.server = `10.87.${n}.1`;
    ip("netns", "add", this.#name);
    ip("link", "add", this.#cable, "type", "veth", "peer", "name", "eth0", "netns", this.#name);
    ip("address", "add", `${this.server}/30`, "dev", this.#cable);
    ip("link", "set", this.#cable, "up");
    ip("-n", this.#name, "address", "add", `10.87.${n}.2/30`, "dev", "eth0");
    ip("-n", this.#name, "link", "set", "eth0", "up");
    ip("-n", this.#name, "link", "set", "lo", "up");
  }

  /** The words of a command that runs another command on the host. */
  get inside() {
    return ["ip", "netns", "exec", this.#name];
  }

  /** Cuts the cable. */
  cut() {
    ip("link", "set", this.#cable, "down");
  }

  mend() {
    ip("link", "set", this.#cable, "up");
  }

  remove() {
    ip("netns", "delete", this.#name);
  }
}
