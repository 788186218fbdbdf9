/**
 * Version of what passes between client and server: documents, live frames, segment kinds and HTTP shapes. A change
 * that an older client cannot read raises it, with a line here.
 *
 * 1: fleet and tail documents, activity and model-event segments, live topics status and in-flight.
 * 2: requests in flight say how much of their answer went out; an older client reads the next request wrongly.
 * 3: segments of model events may hold the log lines of failed starts; an older client takes them for damage.
 * 4: activity rows say how sure their source is; an older client skips tail items and segments with matched sources.
 */
export const PROTOCOL_VERSION = 4;
