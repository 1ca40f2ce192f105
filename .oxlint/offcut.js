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

export default {
  meta: { name: 'offcut' },
  rules: {
    'namespace-zod': namespaceZod,
    'query-keys-of-contracts': queryKeysOfContracts,
    'limits-of-contracts': limitsOfContracts,
  },
};
