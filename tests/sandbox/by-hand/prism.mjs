// Calls each operation of a sandbox through Prism, which checks requests and responses against the document. Run by hand:
//
//   cargo build -p company-intel-sandbox
//   npm install --no-save @stoplight/prism-cli
//   node tests/sandbox/by-hand/prism.mjs target/debug/company-intel-sandbox generated/openapi.yaml

import { spawn } from 'node:child_process';
import { once } from 'node:events';

const [program, document] = process.argv.slice(2);
const [port, proxy] = [8795, 8796];
const key = 'prism-key';
const calls = [
  ['GET', '/news?company=example.com'],
  ['GET', '/company/enrichment?company=example.com'],
  ['GET', '/company/search?query=example'],
  ['GET', '/industry/search?query=analytics'],
  ['GET', '/company/headcount-trends?company=example.com'],
  ['GET', '/company/employee-reviews?company=example.com'],
  ['GET', '/company/product-reviews?company=example.com'],
  ['GET', '/company/jobs?company=example.com'],
  ['GET', '/company/posts?company=example.com'],
  // Known already, and new: the identifiers that may be null are null in one of them each.
  ['POST', '/company/addition', { company_name: 'Quarry Software', website: 'quarry-software.example' }],
  ['POST', '/company/addition', { company_name: 'Somebody Else', website: 'somebody-else.example' }],
];

const sandbox = spawn(program, ['--port', port, '--key', key, '--document', document]);
await once(sandbox.stderr, 'data');
const prism = spawn('npx', ['prism', 'proxy', '--errors', '--port', proxy, document, `http://127.0.0.1:${port}/api`], {
  detached: true,
});
let refused = 0;
try {
  for (let said = ''; !said.includes('Prism is listening'); ) {
    const [text] = await once(prism.stdout, 'data');
    said += text;
  }
  prism.stdout.resume();
  const call = async (method, path, body) => {
    const response = await fetch(`http://127.0.0.1:${proxy}/v1${path}`, {
      method,
      headers: { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) },
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    const is_fine = response.status === 200;
    refused += is_fine ? 0 : 1;
    console.log(`${is_fine ? 'accepted' : 'refused '} ${method} ${path}${is_fine ? '' : `: ${text.slice(0, 500)}`}`);
    return is_fine ? JSON.parse(text) : {};
  };
  for (const [method, path, body] of calls) {
    const response = await call(method, path, body);
    if (response.request_id) await call('GET', `/status/${response.request_id}`);
  }
} finally {
  process.kill(-prism.pid);
  sandbox.kill();
}
process.exitCode = refused > 0 ? 1 : 0;
