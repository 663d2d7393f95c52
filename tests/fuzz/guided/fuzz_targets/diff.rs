#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz_tests::check("diff", data));
