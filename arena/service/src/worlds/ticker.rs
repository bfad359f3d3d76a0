//! The clock of a world: ten generations a second. A late generation is not made up for.

use std::sync::Arc;

use arena_clock::Interval;
use tracing::warn;

use super::live::LiveWorld;
use crate::core::with_causes;
use crate::limits::{DUTY_LOOK, GENERATION_EVERY, RESTING_GENERATIONS, WORLD_PAUSE};

impl LiveWorld {
    /// Runs as long as the process does. Late generations are not made up for.
    pub(super) async fn tick(self: Arc<Self>) {
        let clock = self.core.clock.clone();
        let mut ticks = clock.interval(GENERATION_EVERY);
        let stopping = self.core.stopping.clone();
        let mut next_look = clock.now();
        let mut due = 1;
        while stopping.run_until_cancelled(self.next_tick(&mut ticks, &mut due)).await.is_some() {
            if !self.runs_here() {
                if clock.now() < next_look {
                    continue;
                }
                next_look = clock.now() + DUTY_LOOK;
                match self.core.leases.take(&self.duty).await {
                    Ok(true) => self.take_over().await,
                    Ok(false) => {
                        if let Err(error) = self.look_on().await {
                            warn!(
                                world = self.name().as_str(),
                                cause = with_causes(&error),
                                "a world of another server cannot be followed"
                            );
                        }
                        continue;
                    }
                    Err(error) => {
                        let cause = with_causes(&error);
                        warn!(world = self.name().as_str(), cause, "cannot find out which server runs a world");
                        continue;
                    }
                }
            }
            match self.steps(due).await {
                Ok(rests) => due = if rests { RESTING_GENERATIONS } else { 1 },
                Err(error) => {
                    warn!(world = self.name().as_str(), cause = with_causes(&error), "a world waits for the store");
                    stopping.run_until_cancelled(clock.sleep(WORLD_PAUSE)).await;
                    due = 1;
                }
            }
            if due > 1 {
                ticks.reset_after(GENERATION_EVERY * due);
            }
        }
        if self.runs_here() {
            self.stop().await;
        }
    }

    /// Waits for the next generation. A call wakes a resting world, which then continues one generation at a time.
    async fn next_tick(&self, ticks: &mut Interval, due: &mut u32) {
        let rests = *due > 1;
        tokio::select! {
            biased;
            () = self.called.notified(), if rests => {
                *due = 1;
                ticks.reset_after(GENERATION_EVERY);
                ticks.tick().await;
            }
            () = ticks.tick() => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use arena_rules::life2::Call;
    use arena_store::{AccountId, Limits, Page, Store};
    use tokio::task::{JoinHandle, yield_now};

    use super::*;
    use crate::eventually::eventually;
    use crate::worlds::tests::{begun, digest, resumed};

    /// For how many minutes an empty world is observed, and the generations of a minute.
    const MINUTES: u64 = 10;
    const GENERATIONS_A_MINUTE: u64 = 600;

    /// A world with a running ticker; its bots are awake.
    async fn ticking() -> Arc<LiveWorld> {
        let world = begun(&Arc::new(Store::in_memory(Limits::DEFAULT).await.expect("a store"))).await;
        world.steps(1).await.expect("the store is there");
        ticks(&world).await;
        world
    }

    /// Starts its ticker.
    async fn ticks(world: &Arc<LiveWorld>) -> JoinHandle<()> {
        let ticker = tokio::spawn(world.clone().tick());
        until_it_sleeps(world).await;
        ticker
    }

    async fn until_it_sleeps(world: &LiveWorld) {
        // It has its turn first.
        yield_now().await;
        eventually("the ticker to sleep", async || world.core.clock.sleepers() == 1).await;
    }

    /// Lets so many generations' time go by.
    async fn pass(world: &LiveWorld, generations: u64) {
        for _ in 0..generations {
            world.core.clock.advance(GENERATION_EVERY);
            until_it_sleeps(world).await;
        }
    }

    #[tokio::test]
    async fn a_world_goes_on_ten_times_a_second_and_late_generations_are_not_made_up() {
        let world = ticking().await;
        let looking = world.watch();
        pass(&world, 20).await;
        let before = world.shown().generation;
        pass(&world, 100).await;
        assert_eq!(world.shown().generation, before + 100);
        // The world is held up for five seconds: it stands still, and those generations are never computed.
        let held = world.held.lock().await;
        for _ in 0..50 {
            world.core.clock.advance(GENERATION_EVERY);
            yield_now().await;
        }
        assert_eq!(world.shown().generation, before + 100, "it stands still");
        drop(held);
        until_it_sleeps(&world).await;
        assert_eq!(world.shown().generation, before + 102, "the one that waited, and the next one, which is late");
        pass(&world, 10).await;
        assert_eq!(world.shown().generation, before + 112, "and no burst");
        drop(looking);
    }

    #[tokio::test]
    async fn a_call_wakes_a_world_that_rests() {
        let world = ticking().await;
        pass(&world, 30).await;
        let before = world.shown().generation;
        assert!(before >= 20, "{before} generations went by, ten at a time");
        world.call(AccountId(1), Call::Faucet).await.expect("coins");
        until_it_sleeps(&world).await;
        pass(&world, 1).await;
        assert_eq!(world.shown().generation, before + 1, "a generation after the call, not a second");
    }

    /// The whole cost of an empty world; `cargo bench --package arena --bench costs -- world` measures it.
    #[tokio::test]
    async fn an_empty_world_wakes_once_a_second_and_writes_two_lines_a_minute() {
        let world = ticking().await;
        let begun = world.shown().generation;
        let (mut latest, mut wakes) = (begun, 0);
        for _ in 0..MINUTES * GENERATIONS_A_MINUTE {
            pass(&world, 1).await;
            let generation = world.shown().generation;
            wakes += u64::from(generation != latest);
            latest = generation;
        }
        let a_second_each = MINUTES * 60;
        assert!((a_second_each - 1..=a_second_each).contains(&wakes), "{wakes} times in {MINUTES} minutes");
        assert_eq!(latest - begun, wakes * u64::from(RESTING_GENERATIONS), "none is left out");
        let store = &world.core.store;
        let spans = store.world_spans(world.name(), Page::first(100)).await.expect("read");
        let mut lines = 0;
        for from in spans {
            lines += store.world_span(world.name(), from).await.expect("read").expect("listed").lines.len();
        }
        let digests = (latest / GENERATIONS_A_MINUTE) as usize;
        assert_eq!(lines, 1 + 2 * digests, "a digest and a snapshot each time, and nothing else");
    }

    #[tokio::test]
    async fn no_generation_passes_while_no_process_is_there() {
        let store = Arc::new(Store::in_memory(Limits::DEFAULT).await.expect("a store"));
        let world = begun(&store).await;
        for call in [Call::Faucet, Call::Join { x: 60, y: 60 }, Call::Place(vec![(62, 63), (63, 63), (64, 63)])] {
            world.call(AccountId(1), call).await.expect("allowed");
        }
        let ticker = ticks(&world).await;
        pass(&world, 100).await;
        world.core.stopping.cancel();
        ticker.await.expect("it stops the world");
        let stood = digest(&world).await;
        assert!(stood.0 > 90, "{stood:?}");
        world.core.clock.advance(Duration::from_secs(3_600));
        yield_now().await;
        assert_eq!(digest(&world).await, stood, "the process ends");
        let again = resumed(&store).await;
        assert_eq!(digest(&again).await, stood, "an hour later");
        again.steps(1).await.expect("the store is there");
        ticks(&again).await;
        let before = again.shown().generation;
        pass(&again, 10).await;
        assert_eq!(again.shown().generation, before + 10, "and none of that hour is made up for");
        assert!((stood.0 + 1..=stood.0 + 2).contains(&before), "{before} after {stood:?}");
    }
}
