//! Starts the workers of a process, and ends them: all, or none.
//!
//! A run that breaks leaves threads behind, which wait in the network for nothing: timely knows no other end for them. Whoever gets [`Broken`] reports it and ends the process.

use crate::Setting;
use crate::dataflow::{self, Member, Seat};
use crate::health::Health;
use crate::link::{Link, Peer};
use crate::meet::meet;
use crate::pulse::Pulse;
use lariat_core::{Broken, Exchange};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread;

/// Meets the other processes and has each worker of this one do its work, with its exchange and its number in this process. What they have returned, in their order.
///
/// If anything breaks, here or elsewhere, there is no result, whatever workers have returned: a process that is gone, cut off, silent or stopped, a worker that
/// panics or ends before the others. A worker has ended in time if it returns after the end of a phase, and all others return after the end of the same one.
pub fn run<T, W>(setting: &Setting, work: W) -> Result<Vec<T>, Broken>
where
    T: Send,
    W: Fn(&mut dyn Exchange, usize) -> T + Sync,
{
    setting.check().map_err(|what| Broken { what })?;
    let health = Arc::new(Health::default());
    let peers = peers(setting, &health)?;
    let cannot = |error: std::io::Error| Broken { what: format!("cannot start: {error}") };
    let pulse = match peers.iter().flatten().count() {
        0 => None,
        _ => {
            let peers = peers.iter().flatten().cloned().collect();
            let me = setting.name(setting.process);
            Some(Pulse::start(me, peers, setting.limits.silence, &health).map_err(cannot)?)
        }
    };
    let links = peers.iter().map(|peer| peer.clone().map(Link::new).transpose());
    let links = links.collect::<Result<Vec<_>, _>>().map_err(cannot)?;
    let (seats, network) =
        dataflow::start(links, setting.process, setting.workers).map_err(cannot)?;

    let results: Vec<Option<T>> = thread::scope(|scope| {
        let (work, health) = (&work, &health);
        let mut threads = Vec::new();
        for (number, seat) in seats.into_iter().enumerate() {
            let name = format!("worker {}", setting.process * setting.workers + number);
            let sit = move || sit(setting, seat, number, work, health);
            match thread::Builder::new().name(name).spawn_scoped(scope, sit) {
                Ok(thread) => threads.push(thread),
                // The seats that are left are dropped, which the others notice.
                Err(error) => {
                    health.note(format!("cannot start a thread: {error}"), false);
                    break;
                }
            }
        }
        threads.into_iter().map(|thread| thread.join().ok().flatten()).collect()
    });

    if health.fault().is_none() {
        // The last words of this process go out, and those of others come. Should one of them be lost now, nothing is lost with it: all have said that they are done.
        let (done, is_done) = channel();
        let close = move || {
            drop(network);
            let _ = done.send(());
        };
        if thread::Builder::new().name("closing".to_string()).spawn(close).is_ok() {
            let _ = is_done.recv_timeout(setting.limits.silence);
        }
        if let Some(pulse) = pulse {
            pulse.end();
        }
        let missing = || Broken { what: "a worker has no result".to_string() };
        return results.into_iter().collect::<Option<Vec<T>>>().ok_or_else(missing);
    }
    std::mem::forget(network);
    if let Some(pulse) = pulse {
        pulse.end();
    }
    health.check()?;
    Ok(Vec::new())
}

/// The other processes, in their order; none for this one.
fn peers(setting: &Setting, health: &Arc<Health>) -> Result<Vec<Option<Arc<Peer>>>, Broken> {
    if setting.processes() < 2 {
        return Ok(vec![None]);
    }
    let peer = |(process, stream): (usize, Option<_>)| {
        let make = |stream| {
            Peer::new(setting.name(process), stream, &setting.limits, health).map(Arc::new)
        };
        let lost = |error| Broken { what: format!("{}: {error}", setting.name(process)) };
        stream.map(make).transpose().map_err(lost)
    };
    meet(setting)?.into_iter().enumerate().map(peer).collect()
}

/// One worker, from its seat to the end. None if the run is broken.
fn sit<T, W>(
    setting: &Setting,
    seat: Seat,
    number: usize,
    work: &W,
    health: &Arc<Health>,
) -> Option<T>
where
    W: Fn(&mut dyn Exchange, usize) -> T + Sync,
{
    let mut member: Option<Member> = None;
    let result = catch_unwind(AssertUnwindSafe(|| {
        let member = member.insert(seat.take(setting.window, health.clone()));
        let result = work(member, number);
        member.leave().is_ok().then_some(result)
    }));
    let result = result.unwrap_or_else(|panic| {
        let who = setting.process * setting.workers + number;
        health.note(format!("worker {who} panicked: {}", message(&*panic)), false);
        None
    });
    if health.fault().is_some() {
        // timely panics when it is taken down in the middle of something.
        std::mem::forget(member);
        return None;
    }
    result
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("without a message")
}
