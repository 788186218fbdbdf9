/** The log lines around a failed start, one under the other: until now they went with the model's next start. */
export const V10_FAILURE_LINES = `
ALTER TABLE model_event ADD COLUMN lines TEXT;
`;
