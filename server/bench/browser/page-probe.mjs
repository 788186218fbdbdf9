// Runs in every page before its own scripts: notes when what a person waits for is on screen, and how long tasks are.
const probe = { marks: {}, longTasks: [] };
globalThis.droverProbe = probe;

new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries()) probe.longTasks.push({ startTime, duration });
}).observe({ type: 'longtask', buffered: true });

/** Waits for an element, or for an attribute of it that counts high enough; notes the time once it was painted. */
probe.watch = ({ name, selector, attribute, atLeast }) => {
  const look = () => {
    const element = document.querySelector(selector);
    const isThere = element !== null && (!attribute || Number(element.getAttribute(attribute)) >= atLeast);
    if (!isThere) return requestAnimationFrame(look);
    // What this frame shows is on screen when the next one begins.
    requestAnimationFrame(() => {
      probe.marks[name] ??= performance.now();
    });
  };
  look();
};

/** Scrolls an element from top to bottom, evenly, over some seconds; resolves with the frames it took. */
probe.scroll = (selector, durationMs) =>
  new Promise((resolve) => {
    const element = document.querySelector(selector);
    const began = performance.now();
    let frames = 0;
    const step = () => {
      const share = Math.min(1, (performance.now() - began) / durationMs);
      element.scrollTop = share * (element.scrollHeight - element.clientHeight);
      frames += 1;
      if (share < 1) requestAnimationFrame(step);
      else resolve(frames);
    };
    requestAnimationFrame(step);
  });

for (const target of globalThis.droverWatch ?? []) probe.watch(target);
