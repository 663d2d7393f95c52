//! The column of our client on the page of faults, played through the adapter.

use conformance_tests::matrix;

#[tokio::test]
async fn the_page_of_faults_says_what_our_client_does() {
    let page = include_str!("../../../../docs/faults.md");
    let adapter = env!("CARGO_BIN_EXE_adapter").to_owned();
    let played = matrix::play(&[adapter]).await;
    for row in matrix::rows(&[played]) {
        let row = row.trim_end_matches('|');
        assert!(page.contains(&format!("\n{row}|")), "{row}");
    }
}
