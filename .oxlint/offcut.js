/** `import * as z from 'zod'`: the named form keeps all of zod in the browser's bundle, the namespace what is used. */
const namespaceZod = {
  create: (context) => ({
    ImportDeclaration(node) {
      if (node.source.value !== 'zod' || node.importKind === 'type') return;
      if (node.specifiers.some(({ type }) => type !== 'ImportNamespaceSpecifier'))
        context.report({ node, message: "Write `import * as z from 'zod'`." });
    },
  }),
};

const CACHE_CALL = /^(get|set|ensure)Quer(y|ies)Data$/;

/** Keys of the cache come from contracts: `query(...)` and `queryKeyOf(...)` name them, and a typing slip cannot. */
const queryKeysOfContracts = {
  create: (context) => {
    const refuseArray = (node) => {
      if (node?.type === 'ArrayExpression')
        context.report({ node, message: 'Take the key from `query(...)` or `queryKeyOf(...)`.' });
    };
    return {
      Property: ({ key, value }) => key.name === 'queryKey' && refuseArray(value),
      CallExpression: ({ callee, arguments: [first] }) =>
        CACHE_CALL.test(callee.property?.name) && refuseArray(first),
    };
  },
};

const LIMIT_NAME = /^(max|min)Length$/;
const isNumber = (node) => node?.type === 'Literal' && typeof node.value === 'number';

/** What a field takes at most is said once, in `application/<context>/values.ts`. */
const limitsOfContracts = {
  create: (context) => {
    const refuseNumber = (node) => {
      if (isNumber(node))
        context.report({ node, message: 'Take the limit from `values.ts`, as the contract does.' });
    };
    return {
      JSXAttribute: ({ name, value }) => LIMIT_NAME.test(name.name) && refuseNumber(value?.expression),
      Property: ({ key, value }) => LIMIT_NAME.test(key.name) && refuseNumber(value),
    };
  },
};

const STATEMENT =
  /^\s*(?:\w+ as \(\s*)?(?:select\s[^]+\sfrom\s|insert into\s|update\s[^]+\sset\s|delete from\s|with\s[^]+\sas\s*\()/i;
const REASON = /\braw sql\b/i;

/**
 * Queries are written with the builder. One in raw SQL says why: a comment that begins the file, or that stands before
 * the statement or whatever it is part of, has the words "raw SQL". `prepared` says it for its own.
 */
const rawSqlSaysWhy = {
  create(context) {
    const { sourceCode } = context;
    const saysWhy = (node) => sourceCode.getCommentsBefore(node).some(({ value }) => REASON.test(value));
    // What is decorated begins behind its decorators.
    const isExplained = (node) => [node, ...(node.decorators ?? [])].some(saysWhy);
    const isPrepared = ({ type, callee }) => type === 'CallExpression' && callee.name === 'prepared';
    const check = (node, text) => {
      if (!STATEMENT.test(text)) return;
      for (let part = node; part.type !== 'Program'; part = part.parent)
        if (isPrepared(part) || isExplained(part)) return;
      if (saysWhy(sourceCode.ast.body[0])) return;
      context.report({ node, message: 'Write this with the builder, or say why it is raw SQL.' });
    };
    return {
      Literal: (node) => typeof node.value === 'string' && check(node, node.value),
      TemplateLiteral: (node) => check(node, node.quasis.map(({ value }) => value.cooked).join('?')),
    };
  },
};

const EFFECT = /^use(Layout|Insertion)?Effect$/;

/**
 * React calls what an effect returns when it ends. A method of the browser returns whatever its version gives:
 * `scrollIntoView` nothing once, now a promise. So an effect that only calls a method has braces.
 */
const effectsReturnCleanups = {
  create: (context) => ({
    CallExpression({ callee, arguments: [effect] }) {
      if (!EFFECT.test(callee.name ?? callee.property?.name) || effect?.type !== 'ArrowFunctionExpression')
        return;
      const { body } = effect;
      const call = body.type === 'ChainExpression' ? body.expression : body;
      if (call.type === 'CallExpression' && call.callee.type === 'MemberExpression')
        context.report({ node: call, message: 'Put braces around it: what a method returns is no cleanup.' });
    },
  }),
};

const isDate = (node) => node.type === 'Identifier' && node.name === 'Date';

/** The browser's clock is not the business calendar: `clock.ts` has both, and each use says which it means. */
const namedClock = {
  create: (context) => {
    const refuse = (node) =>
      context.report({ node, message: 'Take `businessNow()` or `deviceNow()` from `clock.ts`.' });
    return {
      MemberExpression: (node) => isDate(node.object) && node.property.name === 'now' && refuse(node),
      NewExpression: (node) => isDate(node.callee) && node.arguments.length === 0 && refuse(node),
    };
  },
};

export default {
  meta: { name: 'offcut' },
  rules: {
    'namespace-zod': namespaceZod,
    'query-keys-of-contracts': queryKeysOfContracts,
    'limits-of-contracts': limitsOfContracts,
    'raw-sql-says-why': rawSqlSaysWhy,
    'named-clock': namedClock,
    'effects-return-cleanups': effectsReturnCleanups,
  },
};
