//! Making what all scenes share.

/// Makes something on threads of its own while the caller only waits.
///
/// What many scenes share is made when the first of them asks, and the makers use all threads. Were those the common ones,
/// scenes that are read side by side could wait for what their own threads are needed to make.
pub(crate) fn apart<T: Send>(make: impl FnOnce() -> T + Send) -> T {
    let Ok(pool) = rayon::ThreadPoolBuilder::new().build() else { return make() };
    std::thread::scope(|scope| match scope.spawn(|| pool.install(make)).join() {
        Ok(made) => made,
        Err(panic) => std::panic::resume_unwind(panic),
    })
}
