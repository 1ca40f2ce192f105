/** The house's doors: which folder may import which. `test/architecture` plants a violation of each rule. */
const SERVER = '^(domain|application|adapters|migrations|demo)/';

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'domain-is-pure',
      comment: 'The domain is true on paper: no framework, no input or output, not even Node.',
      severity: 'error',
      from: { path: '^domain/' },
      to: { pathNot: '^domain/' },
    },
    {
      name: 'contexts-meet-in-shared',
      comment: 'Contexts know nothing of each other; what they share is in domain/shared.',
      severity: 'error',
      from: { path: '^domain/([^/]+)/' },
      to: {
        path: '^domain/',
        pathNot: ['^domain/$1/', '^domain/shared/', '^domain/catalogue/vocabulary[.]ts$'],
      },
    },
    {
      name: 'vocabulary-is-for-publishing',
      comment:
        'Genres, moods, keys and instruments belong to the catalogue; of the domain only publishing checks them.',
      severity: 'error',
      from: { path: '^domain/', pathNot: '^domain/(catalogue|publishing)/' },
      to: { path: '^domain/catalogue/' },
    },
    {
      name: 'application-names-no-vendor',
      comment: 'Use cases sequence the domain and ports; whatever has a vendor is behind a port.',
      severity: 'error',
      from: { path: '^application/' },
      to: {
        pathNot: ['^(domain|application)/', 'node_modules/(@nestjs/(common|cqrs)|zod)/'],
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'adapters-meet-in-nest',
      comment: 'Adapters do not know each other; the composition root in adapters/nest joins them.',
      severity: 'error',
      from: { path: '^adapters/([^/]+)/', pathNot: '^adapters/nest/' },
      to: { path: '^adapters/', pathNot: '^adapters/$1/' },
    },
    {
      name: 'web-knows-contracts-only',
      comment: 'The browser shares the shapes of bodies and answers with the server and nothing else.',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: SERVER, pathNot: '^application/[^/]+/contract[.]ts$' },
    },
    {
      name: 'server-knows-no-screens',
      severity: 'error',
      from: { path: SERVER },
      to: { path: '^web/' },
    },
    {
      name: 'screens-never-import-screens',
      comment: 'Links come from paths.ts; what two screens share is a component.',
      severity: 'error',
      from: { path: '^web/src/screens/([^/]+)/' },
      to: { path: '^web/src/screens/', pathNot: '^web/src/screens/$1/' },
    },
    {
      name: 'product-needs-no-tests',
      severity: 'error',
      from: { path: ['^web/', SERVER] },
      to: { path: '^(test|bench)/' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'imports-resolve',
      comment: 'The launchers in bin import the build, which need not be there.',
      severity: 'error',
      from: { pathNot: '^bin/' },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|coverage|[.]data)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json', '.css', '.d.ts'],
    },
  },
};
