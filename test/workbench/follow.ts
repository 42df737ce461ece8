// What `rollmill workbench` tells its pages of changes on the disk.

interface Change {
  readonly name: string;
  readonly text: string;
}

/** Returns the changes that the server tells from now on. The array grows until the server ends. */
export async function follow(url: string): Promise<readonly Change[]> {
  const { body } = await fetch(new URL("changes", url));
  const changes: Change[] = [];
  const read = async () => {
    for await (const event of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      for (const [, data] of event.matchAll(/^data: (.*)$/gm)) changes.push(JSON.parse(data));
    }
  };
  // an error means that the server has ended
  read().catch(() => undefined);
  return changes;
}
