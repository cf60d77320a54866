/** The platform API under `/v1`. */
import type { FastifyInstance } from 'fastify';
import { type Dialect, setDialect } from '../dialect.ts';
import type { Operation } from './operation/define-operation.ts';
import { type PipelineNeeds, registerOperation } from './operation/run-operation.ts';

export function platformScope(operations: readonly Operation[], dialect: Dialect, needs: PipelineNeeds) {
  return async (scope: FastifyInstance) => {
    setDialect(scope, dialect);
    scope.setValidatorCompiler(() => () => true);
    for (const operation of operations) registerOperation(scope, operation, needs);
  };
}
