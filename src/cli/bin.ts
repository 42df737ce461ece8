#!/usr/bin/env node
import module from "node:module";

// Node 22.8 and later keep the compiled code for the next command, which then starts in 0.8 of the time
(module as { readonly enableCompileCache?: () => void }).enableCompileCache?.();
const { runProcess } = await import("./process.js");
runProcess();
