import { Connection } from '../adapters/sqlite/connection.ts';
import type { SqlStatement } from '../adapters/sqlite/connection.ts';

/** Thrown where a test lets the process "die": nothing after it reaches the database. */
export class InjectedCrash extends Error {
  override readonly name = 'InjectedCrash';
}

/** When the connection fails: at which statement counted from `arm`, and whether it still takes effect. */
export interface InjectedFault {
  readonly atStatement: number;
  readonly when: 'before' | 'after';
  /** What is thrown; a crash also stops everything that follows. */
  readonly error?: () => Error;
}

/** A connection that counts the statements it runs and fails at a chosen one. */
export class FaultyConnection extends Connection {
  #ran = 0;
  #fault: InjectedFault | null = null;
  #dead = false;

  /** Statements run since the last `arm`. */
  get ran(): number {
    return this.#ran;
  }

  /** Counts from here, and fails once at `fault`. */
  arm(fault: InjectedFault | null): void {
    this.#ran = 0;
    this.#fault = fault;
  }

  override statement<Row = unknown>(sql: string): SqlStatement<Row> {
    const statement = super.statement<Row>(sql);
    return {
      run: (...values) => this.#guard(() => statement.run(...values)),
      get: (...values) => this.#guard(() => statement.get(...values)),
      all: (...values) => this.#guard(() => statement.all(...values)),
    };
  }

  #guard<T>(run: () => T): T {
    if (this.#dead) throw new InjectedCrash('the process is dead');
    this.#ran += 1;
    const due = this.#fault?.atStatement === this.#ran ? this.#fault : null;
    if (due?.when === 'before') throw this.#failure(due);
    const result = run();
    if (due?.when === 'after') throw this.#failure(due);
    return result;
  }

  #failure(fault: InjectedFault): Error {
    if (fault.error) return fault.error();
    this.#dead = true;
    return new InjectedCrash(`at statement ${fault.atStatement}`);
  }
}
