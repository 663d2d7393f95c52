//! Our client by the adapter protocol: `conformance_tests::adapter` describes it.

fn main() -> std::io::Result<()> {
    conformance_tests::adapter::run(conformance_tests::adapter::ours)
}
