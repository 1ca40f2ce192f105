/** Requires `import * as z from 'zod'`: the named import bundles all of zod, the namespace only what is used. */
const namespaceZod = (context) => ({
  ImportDeclaration(node) {
    if (node.source.value !== 'zod' || node.importKind === 'type') return;
    if (node.specifiers.some(({ type }) => type !== 'ImportNamespaceSpecifier'))
      context.report({ node, message: "Write `import * as z from 'zod'`." });
  },
});

const CACHE_CALL = /^(get|set|ensure)Quer(y|ies)Data$/;

/** Requires cache keys from contracts, so that they cannot be mistyped: `query(...)` and `queryKeyOf(...)`. */
const queryKeysOfContracts = (context) => {
  const refuseArray = (node) => {
    if (node?.type === 'ArrayExpression')
      context.report({ node, message: 'Take the key from `query(...)` or `queryKeyOf(...)`.' });
  };
  return {
    Property: ({ key, value }) => key.name === 'queryKey' && refuseArray(value),
    CallExpression: ({ callee, arguments: [first] }) =>
      CACHE_CALL.test(callee.property?.name) && refuseArray(first),
  };
};

const LIMIT_NAME = /^(max|min)Length$/;
const isNumber = (node) => node?.type === 'Literal' && typeof node.value === 'number';

/** Requires length limits from `application/<context>/values.ts`, so that each is written once. */
const limitsOfContracts = (context) => {
  const refuseNumber = (node) => {
    if (isNumber(node))
      context.report({ node, message: 'Take the limit from `values.ts`, as the contract does.' });
  };
  return {
    JSXAttribute: ({ name, value }) => LIMIT_NAME.test(name.name) && refuseNumber(value?.expression),
    Property: ({ key, value }) => LIMIT_NAME.test(key.name) && refuseNumber(value),
  };
};

const STATEMENT =
  /^\s*(?:\w+ as \(\s*)?(?:select\s[^]+\sfrom\s|insert into\s|update\s[^]+\sset\s|delete from\s|with\s[^]+\sas\s*\()/i;
const REASON = /\braw sql\b/i;

/**
 * Requires the query builder. A statement in raw SQL needs a reason: a comment with the words "raw SQL" at the
 * start of the file, or before the statement or an expression around it. Calls of `prepared` need none.
 */
const rawSqlSaysWhy = (context) => {
  const { sourceCode } = context;
  const saysWhy = (node) => sourceCode.getCommentsBefore(node).some(({ value }) => REASON.test(value));
  // A decorated node starts after its decorators, so comments before the decorators count too.
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
};

const EFFECT = /^use(Layout|Insertion)?Effect$/;

/**
 * React calls what an effect returns when the effect ends. The result of a browser method depends on the browser:
 * `scrollIntoView` used to return nothing and now returns a promise. An effect that only calls a method must
 * therefore use braces.
 */
const effectsReturnCleanups = (context) => ({
  CallExpression({ callee, arguments: [effect] }) {
    if (!EFFECT.test(callee.name ?? callee.property?.name) || effect?.type !== 'ArrowFunctionExpression')
      return;
    const { body } = effect;
    const call = body.type === 'ChainExpression' ? body.expression : body;
    if (call.type === 'CallExpression' && call.callee.type === 'MemberExpression')
      context.report({
        node: call,
        message: 'Use braces: the result of a method is not a cleanup function.',
      });
  },
});

const isDate = (node) => node.type === 'Identifier' && node.name === 'Date';

/** The browser's clock is not the business calendar. `clock.ts` has both, so that each use names its clock. */
const namedClock = (context) => {
  const refuse = (node) =>
    context.report({ node, message: 'Take `businessNow()` or `deviceNow()` from `clock.ts`.' });
  return {
    MemberExpression: (node) => isDate(node.object) && node.property.name === 'now' && refuse(node),
    NewExpression: (node) => isDate(node.callee) && node.arguments.length === 0 && refuse(node),
  };
};

const STILTED = /\b(told|tells?|nobody|somebody|whoever|whomever|anew|amid|lest)\b/i;
const INVERTED = /^(Of|Whom|Whoever|Whose)\b/;

/** Comments are read by people who have not seen the code: plain words, and the subject first. */
const plainComments = (context) => ({
  Program() {
    for (const comment of context.sourceCode.getAllComments()) {
      // Names in the code and directives of tools are no prose.
      const text = comment.value.replaceAll(/`[^`]*`|@param \S+|^\s*(?:oxlint|oxfmt)-.*$/gm, '');
      const [stilted] = STILTED.exec(text) ?? [];
      if (stilted) context.report({ loc: comment.loc, message: `Write “${stilted}” in plain words.` });
      if (INVERTED.test(text.replace(/^[\s*]+/, '')))
        context.report({ loc: comment.loc, message: 'Begin the comment with its subject.' });
    }
  },
});

/** TypeScript has one way to hide a member: `private`. Plain JavaScript has no other than `#name`. */
const privateMembers = (context) => ({
  PrivateIdentifier: (node) =>
    /[.]tsx?$/.test(context.filename) && context.report({ node, message: 'Write `private` instead of `#`.' }),
});

const rules = {
  'namespace-zod': namespaceZod,
  'query-keys-of-contracts': queryKeysOfContracts,
  'limits-of-contracts': limitsOfContracts,
  'raw-sql-says-why': rawSqlSaysWhy,
  'named-clock': namedClock,
  'effects-return-cleanups': effectsReturnCleanups,
  'plain-comments': plainComments,
  'private-members': privateMembers,
};

export default {
  meta: { name: 'offcut' },
  rules: Object.fromEntries(Object.entries(rules).map(([name, create]) => [name, { create }])),
};
