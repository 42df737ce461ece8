throw new Error("this project installs no native code");
