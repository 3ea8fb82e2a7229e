/**
 * Spring Boot's way in: auto-configuration that makes a {@link io.redislock.reactor.ReactiveRedisLocks} bean from the
 * application's Redis connection, with its properties, meters and health.
 *
 * <p>Works on Spring Boot 3.5, 4.0 and 4.1, whose classes differ: what exists in some of them only is named by its
 * name, or stands in a class of its own behind a condition. How locks work does not belong here.
 */
@NullMarked
package io.redislock.spring.boot;

import org.jspecify.annotations.NullMarked;
