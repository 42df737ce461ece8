#!/usr/bin/env bash
# Tests every language, compiler and machine of docs/engines.md, with millions of results. As root, installs with apt what
# it needs. The table at the end says what was not tested.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

declare -A packages=(
  [gcc]=gcc [g++]=g++ [clang]="clang libclang-rt-dev" [/usr/include/simde]=libsimde-dev [python3]=python3 [luajit]=luajit [love]=love
  [javac]=default-jdk-headless [/usr/share/java/jna.jar]=libjna-java [mcs]=mono-mcs [go]=golang-go [rustc]=rustc
  [qemu-aarch64]=qemu-user [aarch64-linux-gnu-gcc]="gcc-aarch64-linux-gnu libc6-dev-arm64-cross"
  [s390x-linux-gnu-gcc]="gcc-s390x-linux-gnu libc6-dev-s390x-cross"
)
missing=()
if command -v clang > /dev/null; then packages[$(clang -print-file-name=libclang_rt.asan-x86_64.a)]=libclang-rt-dev; fi
for needed in "${!packages[@]}"; do
  if [[ ! -e "$needed" ]] && ! command -v "$needed" > /dev/null; then missing+=(${packages[$needed]}); fi
done
if [[ ${#missing[@]} -gt 0 && "$(id -u)" == 0 ]] && command -v apt-get > /dev/null; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" > /dev/null
elif [[ ${#missing[@]} -gt 0 ]]; then
  echo "Installs nothing: not root, or no apt-get"
fi

npm run --silent build
SOAK=1 exec npx vitest run test/plans/{hosts,mutated}.test.ts
