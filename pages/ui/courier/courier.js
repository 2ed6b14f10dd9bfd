const NEWLINE = 10;

/** Bytes come as one line of JSON that says what they are, and then the bytes themselves. */
function unpack(bytes) {
  const end = bytes.indexOf(NEWLINE);
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
  const blob = new Blob([bytes.subarray(end + 1)], { type: head.type });
  return { channel: head.channel, part: head.part, value: { id: head.id, blob } };
}

export default function ({ data }) {
  const { channel, part, value } = data instanceof Uint8Array ? unpack(data) : data;
  const { parts, listeners } = openChannel(channel);
  parts.set(part, value);
  for (const listener of listeners) listener();
  // A later run, or another mount, may have delivered since: that value stays.
  return () => {
    if (parts.get(part) === value) parts.delete(part);
  };
}
