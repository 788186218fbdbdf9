/** Where the browser keeps what the last run left; see `data/replica/remembered.ts`. */
export const REMEMBERED_KEY = 'drover.replica';
