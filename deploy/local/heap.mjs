/**
 * How far the youngest garbage may pile up, as flags of Node. V8 goes by the machine's memory: on 24 GB that is 64 MB twice,
 * at least 140 MB more than with this, and a recall takes about the same processor time. The image and the systemd unit
 * say the same.
 */
export const HEAP_FLAGS = ["--max-semi-space-size=4"];
