export function download(name: string, content: BlobPart): void {
  const url = URL.createObjectURL(new Blob([content]));
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}
