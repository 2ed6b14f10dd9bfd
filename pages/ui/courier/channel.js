// Put in front of each script that uses it: a view and its couriers are modules of their own.
function openChannel(name) {
  const channels = (window[Symbol.for("rowlens.channels")] ??= new Map());
  if (!channels.has(name)) channels.set(name, { parts: new Map(), listeners: new Set() });
  return channels.get(name);
}
