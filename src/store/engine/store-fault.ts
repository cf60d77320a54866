/** Something that the stores lack at the moment, such as a database that does not answer. */
export interface StoreFault {
  /** `postgres`, `schema`, `clock`, `s3` */
  readonly part: string;
  readonly message: string;
  /** True: only some requests need it. False: this node can answer none until it is over. */
  readonly isPartial: boolean;
}
