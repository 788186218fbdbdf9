interface ImportMetaEnv {
  /** Version of Drover this app was built from. */
  readonly DROVER_VERSION?: string;
}
