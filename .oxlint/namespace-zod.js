/** `import * as z from 'zod'`: the named form keeps all of zod in the browser's bundle, the namespace what is used. */
const rule = {
  create: (context) => ({
    ImportDeclaration(node) {
      if (node.source.value !== 'zod' || node.importKind === 'type') return;
      if (node.specifiers.some(({ type }) => type !== 'ImportNamespaceSpecifier'))
        context.report({ node, message: "Write `import * as z from 'zod'`." });
    },
  }),
};

export default { meta: { name: 'offcut' }, rules: { 'namespace-zod': rule } };
