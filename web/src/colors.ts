// Each thread has a colour of its own, as far as there are enough.
const kColors = 10;
export const colorOf = (thread: number) => `var(--thread-${thread % kColors})`;
