package io.redislock.reactor

import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.resume
import kotlin.coroutines.resumeWithException
import kotlinx.coroutines.CancellableContinuation
import kotlinx.coroutines.reactor.ReactorContext
import kotlinx.coroutines.suspendCancellableCoroutine
import org.reactivestreams.Subscription
import reactor.core.CoreSubscriber
import reactor.core.publisher.Mono
import reactor.util.context.Context

/**
 * Awaits a value that somebody must own, or `null` when there is none.
 *
 * The `awaitSingle` of kotlinx-coroutines drops a value that comes at the very moment at which the coroutine is
 * cancelled: between the signal and the coroutine's next turn on its dispatcher, or before the signal is complete. Here
 * the continuation decides who has it, once: the coroutine, or [giveBack].
 *
 * ```
 *   value ---- the coroutine's turn --> returned
 *   value ---- cancelled -------------> CancellationException, giveBack(value)
 *   cancelled -- value ---------------> CancellationException, giveBack(value), unless the Mono kept it
 * ```
 *
 * @param giveBack called on any thread with the value and the caller's Reactor context; must neither block nor throw
 */
@JvmSynthetic
internal suspend fun <T : Any> Mono<T>.awaitOwned(giveBack: (T, Context) -> Unit): T? =
    suspendCancellableCoroutine { continuation ->
        contextWrite(continuation.context.reactor()).subscribeWith(Owning(continuation, giveBack))
    }

/**
 * Awaits a value that nobody has to give back. The `awaitSingle` of kotlinx-coroutines would do, but for its first use:
 * that reads a file of services, on an event loop it may be, and where BlockHound forbids this, it never works again.
 */
@JvmSynthetic
internal suspend fun <T : Any> Mono<T>.awaitValue(): T? = awaitOwned { _, _ -> }

private class Owning<T : Any>(
    private val continuation: CancellableContinuation<T?>,
    private val giveBack: (T, Context) -> Unit,
) : CoreSubscriber<T> {

    private var valued = false

    override fun onSubscribe(subscription: Subscription) {
        continuation.invokeOnCancellation { subscription.cancel() }
        subscription.request(Long.MAX_VALUE)
    }

    /** Not left for [onComplete]: an operator that was cancelled in between would not tell it. */
    override fun onNext(value: T) {
        valued = true
        continuation.resume(value) { _, unwanted, context -> giveBack(unwanted, context.reactor()) }
    }

    override fun onError(failure: Throwable) {
        if (!valued) {
            continuation.resumeWithException(failure)
        }
    }

    override fun onComplete() {
        if (!valued) {
            continuation.resume(null)
        }
    }
}

private fun CoroutineContext.reactor(): Context = this[ReactorContext]?.context ?: Context.empty()
