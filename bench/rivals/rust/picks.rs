//! Weighted picks of rand, counted in threads, with the conversation of ../c/rival.h. Each thread has its own generator,
//! xoshiro256++, and its own counts. argv: alias, or index, which is faster for a few weights. load: threads, n, n weights.

use rand::distributions::{Distribution, WeightedIndex};
use rand::{rngs::SmallRng, SeedableRng};
use rand_distr::WeightedAliasIndex;
use std::{env, io, thread, time::Instant};

const SAMPLES: usize = 5;

struct Counter<List> {
    list: List,
    entries: usize,
    generators: Vec<SmallRng>,
}

impl<List: Distribution<usize> + Sync> Counter<List> {
    fn count(&mut self, picks: usize) -> Vec<u64> {
        let (list, entries, threads) = (&self.list, self.entries, self.generators.len());
        thread::scope(|scope| {
            let spawn = |(k, generator)| {
                let share = picks / threads + usize::from(k < picks % threads);
                scope.spawn(move || counted(list, entries, share, generator))
            };
            let started: Vec<_> = self.generators.iter_mut().enumerate().map(spawn).collect();
            started.into_iter().fold(vec![0; entries], |sum, one| {
                let own = one.join().expect("the thread counts");
                sum.iter().zip(own).map(|(a, b)| a + b).collect()
            })
        })
    }

    /// Nanoseconds a pick.
    fn timed(&mut self, picks: usize) -> f64 {
        let start = Instant::now();
        self.count(picks);
        start.elapsed().as_nanos() as f64 / picks as f64
    }
}

fn counted(list: &impl Distribution<usize>, entries: usize, picks: usize, generator: &mut SmallRng) -> Vec<u64> {
    let mut counts = vec![0; entries];
    for _ in 0..picks {
        counts[list.sample(generator)] += 1;
    }
    counts
}

fn serve<List: Distribution<usize> + Sync>(load: impl Fn(Vec<u32>) -> List) {
    let mut loaded = None;
    for line in io::stdin().lines().map(|line| line.expect("a line of text")) {
        let (command, rest) = line.split_once(' ').expect("a command with numbers");
        let given: Vec<usize> = rest.split(' ').map(|text| text.parse().expect("a number")).collect();
        if command == "load" {
            let list = load(given[2..].iter().map(|&weight| weight as u32).collect());
            let generators = (0..given[0] as u64).map(SmallRng::seed_from_u64).collect();
            loaded = Some(Counter { list, entries: given[1], generators });
            println!("ok");
            continue;
        }
        let counter = loaded.as_mut().expect("load comes first");
        if command == "time" {
            let mut samples: Vec<_> = (0..SAMPLES).map(|_| counter.timed(given[0] / SAMPLES + 1)).collect();
            samples.sort_by(f64::total_cmp);
            println!("{}", samples[SAMPLES / 2]);
        } else {
            println!("{}", counter.count(given[0]).iter().map(u64::to_string).collect::<Vec<_>>().join(" "));
        }
    }
}

fn main() {
    match env::args().nth(1).as_deref() {
        Some("index") => serve(|weights| WeightedIndex::new(weights).expect("weights > 0")),
        _ => serve(|weights| WeightedAliasIndex::new(weights).expect("weights > 0")),
    }
}
