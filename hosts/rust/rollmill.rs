//! Opens plan files with the C library: link rollmill.c, compiled as C. Its header explains the calls.
#![allow(dead_code)] // a program needs few of the calls
use std::os::raw::{c_char, c_int};
use std::{ffi::CStr, fmt, ptr::null, ptr::null_mut, slice};

type Mine = *mut std::ffi::c_void;
type Text = *const u8;
extern "C" {
    fn rm_error(status: c_int) -> *const c_char;
    fn rm_open(plan: Text, plan_bytes: usize, seed: Text, seed_bytes: usize, mill: &mut Mine) -> c_int;
    fn rm_close(mill: Mine);
    fn rm_count(mill: Mine) -> u32;
    fn rm_find(mill: Mine, name: Text, bytes: usize, noun: &mut u32) -> c_int;
    fn rm_about(mill: Mine, noun: u32, _: Text, _: Text, _: Text, labels: &mut Text, bytes: &mut usize) -> c_int;
    fn rm_noun_key(mill: Mine, noun: u32) -> u64;
    fn rm_fork_text(mill: Mine, parent: u64, id: Text, bytes: usize, key: &mut u64) -> c_int;
    fn rm_fork_integer(mill: Mine, parent: u64, id: i64, key: &mut u64) -> c_int;
    fn rm_fork_pair(mill: Mine, parent: u64, first: i32, second: i32, key: &mut u64) -> c_int;
    fn rm_width(mill: Mine, noun: u32) -> u32;
    fn rm_has_quantities(mill: Mine, noun: u32) -> c_int;
    fn rm_many(mill: Mine, noun: u32, key: u64, from: u64, count: usize, out: *mut u32, amounts: *mut i32) -> c_int;
    fn rm_draw(mill: Mine, family: u32, pool: u32, key: u64, count: usize, out: *mut u32, drawn: &mut usize) -> c_int;
    fn rm_state_bytes(mill: Mine) -> usize;
    fn rm_state_save(mill: Mine, state: *mut u8, bytes: usize) -> c_int;
    fn rm_state_load(mill: Mine, state: Text, bytes: usize) -> c_int;
}

/// The status of a call that is refused. As a text, its sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Error(pub c_int);
impl std::error::Error for Error {}
impl fmt::Display for Error {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        to.write_str(&unsafe { CStr::from_ptr(rm_error(self.0)) }.to_string_lossy())
    }
}
type Result<T> = std::result::Result<T, Error>;

fn made<T: Default>(call: impl FnOnce(&mut T) -> c_int) -> Result<T> {
    let mut out = T::default();
    let status = call(&mut out); // 6: nothing is left to draw
    if [0, 6].contains(&status) { Ok(out) } else { Err(Error(status)) }
}

/// An open plan file with a seed. A mill may move to another thread, but two threads may not share it.
pub struct Mill(Mine);
unsafe impl Send for Mill {}
impl Drop for Mill { fn drop(&mut self) { unsafe { rm_close(self.0) } } }
impl Mill {
    pub fn open(plan: &[u8], seed: &str) -> Result<Mill> {
        let mut mill = Mill(null_mut());
        made(|_: &mut ()| unsafe { rm_open(plan.as_ptr(), plan.len(), seed.as_ptr(), seed.len(), &mut mill.0) })?;
        Ok(mill)
    }
    pub fn count(&self) -> u32 { unsafe { rm_count(self.0) } }
    pub fn find(&self, name: &str) -> Result<u32> {
        made(|noun| unsafe { rm_find(self.0, name.as_ptr(), name.len(), noun) })
    }
    /// The labels of a noun: JSON in UTF-8.
    pub fn labels(&self, noun: u32) -> Result<&[u8]> {
        let (mut text, no) = (null(), null());
        let bytes = made(|bytes| unsafe { rm_about(self.0, noun, no, no, no, &mut text, bytes) })?;
        Ok(unsafe { slice::from_raw_parts(text, bytes) })
    }
    pub fn width(&self, noun: u32) -> usize { unsafe { rm_width(self.0, noun) as usize } }
    pub fn has_quantities(&self, noun: u32) -> bool { unsafe { rm_has_quantities(self.0, noun) != 0 } }
    pub fn key(&self, noun: u32) -> u64 { unsafe { rm_noun_key(self.0, noun) } }
    /// The key of `fork(id)` of JavaScript.
    pub fn fork_text(&self, key: u64, id: &str) -> Result<u64> {
        made(|out| unsafe { rm_fork_text(self.0, key, id.as_ptr(), id.len(), out) })
    }
    pub fn fork_integer(&self, key: u64, id: i64) -> Result<u64> {
        made(|out| unsafe { rm_fork_integer(self.0, key, id, out) })
    }
    pub fn fork_pair(&self, key: u64, first: i32, second: i32) -> Result<u64> {
        made(|out| unsafe { rm_fork_pair(self.0, key, first, second, out) })
    }
    /// Makes the results from … from + count − 1, and their quantities if they have a place.
    pub fn many(&self, noun: u32, key: u64, from: u64, count: usize, amounts: Option<&mut [i32]>) -> Result<Vec<u32>> {
        let mut results = vec![0; count * self.width(noun)];
        let amounts = amounts.map_or(null_mut(), |place| place[..results.len()].as_mut_ptr());
        made(|_: &mut ()| unsafe { rm_many(self.0, noun, key, from, count, results.as_mut_ptr(), amounts) })?;
        Ok(results)
    }
    /// Draws records from a pool, by its number. Returns fewer if the pool has nothing left.
    pub fn draw(&self, family: u32, pool: u32, key: u64, count: usize) -> Result<Vec<u32>> {
        let mut records = vec![0; count];
        let out = records.as_mut_ptr();
        records.truncate(made(|drawn| unsafe { rm_draw(self.0, family, pool, key, count, out, drawn) })?);
        Ok(records)
    }
    pub fn save(&self) -> Result<Vec<u8>> {
        let mut state = vec![0; unsafe { rm_state_bytes(self.0) }];
        made(|_: &mut ()| unsafe { rm_state_save(self.0, state.as_mut_ptr(), state.len()) })?;
        Ok(state)
    }
    pub fn load(&self, state: &[u8]) -> Result<()> {
        made(|_| unsafe { rm_state_load(self.0, state.as_ptr(), state.len()) })
    }
}
