// Looks at the page and at the explorer of a sandbox in a real browser, and tries an operation there. Run by hand:
//
//   cargo build -p company-intel-sandbox
//   npm install --no-save puppeteer-core
//   CHROMIUM=/usr/bin/chromium node tests/sandbox/by-hand/browser.mjs target/debug/company-intel-sandbox docs/sandbox.png
//
// The picture is that of the page, after three calls.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import puppeteer from 'puppeteer-core';

const [program, picture] = process.argv.slice(2);
const port = 8797;
const address = `http://127.0.0.1:${port}`;
const key = 'browser-key';
const sandbox = spawn(program, ['--port', port, '--key', key, '--log', 'json']);
await once(sandbox.stderr, 'data');

const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM,
  args: ['--no-sandbox'],
});
try {
  const call = (path, headers) => fetch(`${address}/api/v1${path}`, { headers });
  for (const [path, headers] of [
    ['/company/headcount-trends?company=example.com', { 'x-api-key': key }],
    ['/company/jobs?company=quarry-software.example', { 'x-api-key': key }],
    ['/company/jobs?company=example.com', {}],
  ]) await call(path, headers);

  const page = await browser.newPage();
  const problems = [];
  page.on('pageerror', error => problems.push(error.message));
  await page.setViewport({ width: 900, height: 620, deviceScaleFactor: 1 });
  await page.goto(address);
  await page.waitForFunction(() => document.querySelectorAll('#latest tr').length === 3);
  await page.screenshot({ path: picture });

  await page.goto(`${address}/_sandbox/explorer/`);
  const press = async selector => {
    await page.waitForSelector(selector, { visible: true });
    await page.click(selector);
  };
  await press('.btn.authorize');
  await page.waitForSelector('.auth-container input');
  await page.type('.auth-container input', key);
  await press('.auth-btn-wrapper .authorize');
  await press('.auth-btn-wrapper .btn-done');
  const operation = '.opblock-get .opblock-summary-path[data-path*="jobs"]';
  await press(operation);
  await press('.try-out__btn');
  const company = '.parameters tr[data-param-name="company"] input';
  await page.waitForSelector(company);
  await page.$eval(company, input => input.select());
  await page.type(company, 'example.com');
  await press('.execute');
  await page.waitForSelector('.live-responses-table .response-col_status');
  const status = await page.$eval('.live-responses-table tbody .response-col_status', cell => cell.textContent);
  assert.match(status, /200/);
  assert.deepEqual(problems, []);

  const bill = await (await fetch(`${address}/_sandbox/bill`)).json();
  assert.equal(bill.calls, 3);
  console.log(`the page shows the calls, and the explorer makes one: ${status}`);
} finally {
  await browser.close();
  sandbox.kill('SIGINT');
}
