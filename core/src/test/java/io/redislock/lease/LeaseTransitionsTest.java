package io.redislock.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

import io.redislock.LockLoss;
import io.redislock.LockState;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** Every state of a lease meets every event: what is answered, where it stands then, why, and who was told. */
class LeaseTransitionsTest {

    private static final Duration EXPIRY = Duration.ofSeconds(30);

    /** "Over" is past the deadline. The reason is that of the loss, if it was lost; "told" is what this event told. */
    private static final String TABLE = """
            from           | on      | answer   | to       | reason     | told
            HELD           | READ    | HELD     | HELD     |            |
            HELD           | SUSPECT | true     | SUSPECT  |            |
            HELD           | EXTEND  | true     | HELD     |            |
            HELD           | LOSE    | true     | LOST     | TAKEN_OVER | TAKEN_OVER
            HELD           | RELEASE | true     | RELEASED |            |
            SUSPECT        | READ    | SUSPECT  | SUSPECT  |            |
            SUSPECT        | SUSPECT | false    | SUSPECT  |            |
            SUSPECT        | EXTEND  | true     | HELD     |            |
            SUSPECT        | LOSE    | true     | LOST     | TAKEN_OVER | TAKEN_OVER
            SUSPECT        | RELEASE | true     | RELEASED |            |
            HELD_OVER      | READ    | LOST     | LOST     | EXPIRED    | EXPIRED
            HELD_OVER      | SUSPECT | false    | LOST     | EXPIRED    | EXPIRED
            HELD_OVER      | EXTEND  | false    | LOST     | EXPIRED    | EXPIRED
            HELD_OVER      | LOSE    | false    | LOST     | EXPIRED    | EXPIRED
            HELD_OVER      | RELEASE | true     | RELEASED | EXPIRED    | EXPIRED
            SUSPECT_OVER   | READ    | LOST     | LOST     | EXPIRED    | EXPIRED
            SUSPECT_OVER   | SUSPECT | false    | LOST     | EXPIRED    | EXPIRED
            SUSPECT_OVER   | EXTEND  | false    | LOST     | EXPIRED    | EXPIRED
            SUSPECT_OVER   | LOSE    | false    | LOST     | EXPIRED    | EXPIRED
            SUSPECT_OVER   | RELEASE | true     | RELEASED | EXPIRED    | EXPIRED
            LOST           | READ    | LOST     | LOST     | DELETED    |
            LOST           | SUSPECT | false    | LOST     | DELETED    |
            LOST           | EXTEND  | false    | LOST     | DELETED    |
            LOST           | LOSE    | false    | LOST     | DELETED    |
            LOST           | RELEASE | true     | RELEASED | DELETED    |
            LOST_OVER      | READ    | LOST     | LOST     | DELETED    |
            LOST_OVER      | SUSPECT | false    | LOST     | DELETED    |
            LOST_OVER      | EXTEND  | false    | LOST     | DELETED    |
            LOST_OVER      | LOSE    | false    | LOST     | DELETED    |
            LOST_OVER      | RELEASE | true     | RELEASED | DELETED    |
            RELEASED       | READ    | RELEASED | RELEASED |            |
            RELEASED       | SUSPECT | false    | RELEASED |            |
            RELEASED       | EXTEND  | false    | RELEASED |            |
            RELEASED       | LOSE    | false    | RELEASED |            |
            RELEASED       | RELEASE | false    | RELEASED |            |
            RELEASED_OVER  | READ    | RELEASED | RELEASED |            |
            RELEASED_OVER  | SUSPECT | false    | RELEASED |            |
            RELEASED_OVER  | EXTEND  | false    | RELEASED |            |
            RELEASED_OVER  | LOSE    | false    | RELEASED |            |
            RELEASED_OVER  | RELEASE | false    | RELEASED |            |
            LOST_RELEASED  | READ    | RELEASED | RELEASED | DELETED    |
            LOST_RELEASED  | SUSPECT | false    | RELEASED | DELETED    |
            LOST_RELEASED  | EXTEND  | false    | RELEASED | DELETED    |
            LOST_RELEASED  | LOSE    | false    | RELEASED | DELETED    |
            LOST_RELEASED  | RELEASE | false    | RELEASED | DELETED    |
            """;

    private final ManualClock clock = ManualClock.anywhere();
    private final List<LockLoss> told = new ArrayList<>();
    private final Lease lease = new Lease(clock, Validity.ofCommandSentNow(clock, EXPIRY), told::add);

    @ParameterizedTest
    @MethodSource("table")
    void eventLeadsWhereTheTableSays(From from, On on, String answer, LockState to, @Nullable LockLoss reason,
            List<LockLoss> toldThen) {
        from.bringThere.accept(this);
        told.clear();

        Object answered = on.happens.apply(this);

        assertThat(answered).hasToString(answer);
        assertThat(told).as("told").isEqualTo(toldThen);
        assertThat(lease.state()).isEqualTo(to);
        assertThat(lease.loss().orElse(null)).isEqualTo(reason);
        boolean held = to == LockState.HELD || to == LockState.SUSPECT;
        assertThat(lease.isHeld()).isEqualTo(held);
        assertThat(lease.remaining().isZero()).isEqualTo(!held);
        assertThat(told).as("told again by reading").isEqualTo(toldThen);
    }

    @Test
    void tableNamesEveryPairOnce() {
        assertThat(table().map(row -> row.get()[0] + " " + row.get()[1]))
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(From.values())
                        .flatMap(from -> Arrays.stream(On.values()).map(on -> from + " " + on)).toList());
    }

    static Stream<Arguments> table() {
        return TABLE.lines().skip(1).map(line -> {
            String[] cells = Arrays.stream(line.split("\\|", -1)).map(String::trim).toArray(String[]::new);
            return arguments(From.valueOf(cells[0]), On.valueOf(cells[1]), cells[2], LockState.valueOf(cells[3]),
                    cells[4].isEmpty() ? null : LockLoss.valueOf(cells[4]),
                    cells[5].isEmpty() ? List.of() : List.of(LockLoss.valueOf(cells[5])));
        });
    }

    private void passDeadline() {
        clock.pass(EXPIRY);
    }

    /** How to bring a new lease there. */
    enum From {
        HELD(test -> { }),
        SUSPECT(test -> test.lease.suspect()),
        HELD_OVER(test -> test.passDeadline()),
        SUSPECT_OVER(SUSPECT.bringThere.andThen(test -> test.passDeadline())),
        LOST(test -> test.lease.lose(LockLoss.DELETED)),
        LOST_OVER(LOST.bringThere.andThen(test -> test.passDeadline())),
        RELEASED(test -> test.lease.release()),
        RELEASED_OVER(RELEASED.bringThere.andThen(test -> test.passDeadline())),
        LOST_RELEASED(LOST.bringThere.andThen(test -> test.lease.release()));

        private final Consumer<LeaseTransitionsTest> bringThere;

        From(Consumer<LeaseTransitionsTest> bringThere) {
            this.bringThere = bringThere;
        }
    }

    enum On {
        READ(test -> test.lease.state()),
        SUSPECT(test -> test.lease.suspect()),
        EXTEND(test -> test.lease.extended(Validity.ofCommandSentNow(test.clock, EXPIRY))),
        LOSE(test -> test.lease.lose(LockLoss.TAKEN_OVER)),
        RELEASE(test -> test.lease.release());

        private final Function<LeaseTransitionsTest, Object> happens;

        On(Function<LeaseTransitionsTest, Object> happens) {
            this.happens = happens;
        }
    }
}
