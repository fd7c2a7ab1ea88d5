// The browser sources. `npx` keeps the packages beside eslint itself, and nothing is installed in the project.
import { createRequire } from 'node:module';

const require = createRequire(process.argv[1]);
const js = require('@eslint/js');
const globals = require('globals');
const imports = require('eslint-plugin-import-x');

const CLOCK = 'The clock of a device may be wrong; use kit/time.js.';

export default [
  { ignores: ['src/fairdeal/server/web/vendor/'] },
  {
    files: ['src/fairdeal/server/web/**/*.js'],
    languageOptions: { ecmaVersion: 2022, sourceType: 'module', globals: globals.browser },
    plugins: { imports },
    settings: { 'import-x/resolver-next': [imports.createNodeResolver()] },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      ...js.configs.recommended.rules,
      curly: ['error', 'multi-line'],
      eqeqeq: 'error',
      'imports/no-cycle': 'error',
      'max-len': ['error', { code: 100, ignoreRegExpLiterals: true, ignoreStrings: true }],
      'max-lines': ['error', { max: 380, skipComments: true }],
      'max-lines-per-function': [
        'error',
        { max: 80, skipBlankLines: true, skipComments: true },
      ],
      'max-statements-per-line': 'error',
      'no-else-return': 'error',
      'no-restricted-properties': ['error', { object: 'Date', property: 'now', message: CLOCK }],
      'no-restricted-syntax': [
        'error',
        { selector: 'NewExpression[callee.name=Date][arguments.length=0]', message: CLOCK },
        { selector: 'CallExpression[callee.name=Date]', message: CLOCK },
      ],
      'no-shadow': 'error',
      'no-unused-expressions': 'error',
      'no-useless-rename': 'error',
      'no-var': 'error',
      'object-shorthand': 'error',
      'one-var': ['error', 'never'],
      'prefer-const': 'error',
      'prefer-template': 'error',
    },
  },
];
