// SPDX-License-Identifier: Apache-2.0
// Newton's method on the logarithm of the posterior, which is concave. Unknowns: the logarithms of the
// strengths, then that of the draw ratio if there are draws. The equations of each step are solved by
// conjugate gradients, which need few iterations as most players meet many others; intervals need the inverse
// of the information matrix once.
#include "core/analysis/rating.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "core/analysis/information_matrix.hpp"

namespace seedbed {
namespace {

constexpr double kPriorDeviation = 5;  // of logarithms of strengths: 868 points
constexpr double kPrior = 1 / (kPriorDeviation * kPriorDeviation);
constexpr int kMostSteps = 100;
constexpr double kPrecision = 1e-9;  // of the largest change of a logarithm
constexpr double kNormal95 = 1.959963984540054;
const double kPoints = 400 / std::log(10.0);

// The probabilities of a game, as seen by a: loss, draw, win.
struct Chances {
    double win, draw, loss;
    static Chances of(double difference, double draw_ratio) {
        const double half = std::exp(-std::abs(difference) / 2);  // sqrt of weaker / stronger
        const double total = 1 + half * half + draw_ratio * half;
        const double strong = 1 / total, weak = half * half / total;
        return {difference >= 0 ? strong : weak, draw_ratio * half / total, difference >= 0 ? weak : strong};
    }
};

class Fit {
public:
    Fit(std::size_t players, std::span<const PairGames> games)
        : players_(players), games_(games), curvature_(games.size()) {
        double draws = 0;
        for (const PairGames& pair : games) draws += pair.draws;
        has_draws_ = draws > 0;
        x_.assign(players + (has_draws_ ? 1 : 0), 0.0);
    }

    Ratings solve() {
        Ratings ratings;
        double value = posterior(x_);
        std::vector<double> step(x_.size()), next(x_.size());
        for (ratings.iterations = 0; ratings.iterations < kMostSteps; ++ratings.iterations) {
            linearise();
            solveStep(step);
            double scale = 1, reached = 0;
            // Halves the step until it improves the posterior.
            for (int halving = 0; halving < 40; ++halving, scale /= 2) {
                for (std::size_t i = 0; i < x_.size(); ++i) next[i] = x_[i] + scale * step[i];
                reached = posterior(next);
                if (reached >= value) break;
            }
            if (!(reached >= value)) break;
            value = reached;
            x_.swap(next);
            double largest = 0;
            for (const double change : step) largest = std::max(largest, std::abs(scale * change));
            if (largest < kPrecision) break;
        }
        linearise();
        fill(ratings);
        return ratings;
    }

private:
    // Second derivatives of the games of a pair, for its own strength, the other's and the draw ratio:
    // games * covariance of the three indicators.
    struct Curvature {
        double aa, bb, ab, ad, bd, dd;
    };

    double drawRatio(const std::vector<double>& x) const { return has_draws_ ? std::exp(x[players_]) : 0.0; }

    double posterior(const std::vector<double>& x) const {
        double sum = 0;
        for (const double value : x) sum -= 0.5 * kPrior * value * value;
        const double ratio = drawRatio(x), log_ratio = has_draws_ ? x[players_] : 0;
        for (const PairGames& pair : games_) {
            const double difference = x[pair.a] - x[pair.b], half = std::exp(-std::abs(difference) / 2);
            // Relative to the stronger player.
            const double total = std::log1p(half * half + ratio * half);
            const double against = difference >= 0 ? pair.losses : pair.wins;
            sum -= against * std::abs(difference) + pair.draws * (std::abs(difference) / 2 - log_ratio) +
                   pair.games() * total;
        }
        return sum;
    }

    // Gradient and curvature at x_.
    void linearise() {
        gradient_.assign(x_.size(), 0.0);
        diagonal_.assign(x_.size(), kPrior);
        for (std::size_t i = 0; i < x_.size(); ++i) gradient_[i] = -kPrior * x_[i];
        const double ratio = drawRatio(x_);
        for (std::size_t i = 0; i < games_.size(); ++i) {
            const PairGames& pair = games_[i];
            const Chances chance = Chances::of(x_[pair.a] - x_[pair.b], ratio);
            const double n = pair.games(), half = 0.5 * chance.draw;
            const double a = chance.win + half, b = chance.loss + half;  // expected scores
            gradient_[pair.a] += pair.wins + 0.5 * pair.draws - n * a;
            gradient_[pair.b] += pair.losses + 0.5 * pair.draws - n * b;
            Curvature& c = curvature_[i];
            c.aa = n * (chance.win + 0.5 * half - a * a);
            c.bb = n * (chance.loss + 0.5 * half - b * b);
            c.ab = n * (0.5 * half - a * b);
            c.ad = n * (half - a * chance.draw);
            c.bd = n * (half - b * chance.draw);
            c.dd = n * (chance.draw - chance.draw * chance.draw);
            diagonal_[pair.a] += c.aa;
            diagonal_[pair.b] += c.bb;
            if (!has_draws_) continue;
            gradient_[players_] += pair.draws - n * chance.draw;
            diagonal_[players_] += c.dd;
        }
    }

    // to = information * from
    void multiply(const std::vector<double>& from, std::vector<double>& to) const {
        for (std::size_t i = 0; i < from.size(); ++i) to[i] = diagonal_[i] * from[i];
        const double draw = has_draws_ ? from[players_] : 0;
        double draw_sum = 0;
        for (std::size_t i = 0; i < games_.size(); ++i) {
            const PairGames& pair = games_[i];
            const Curvature& c = curvature_[i];
            to[pair.a] += c.ab * from[pair.b] + c.ad * draw;
            to[pair.b] += c.ab * from[pair.a] + c.bd * draw;
            draw_sum += c.ad * from[pair.a] + c.bd * from[pair.b];
        }
        if (has_draws_) to[players_] += draw_sum;
    }

    // Conjugate gradients, preconditioned by the diagonal.
    void solveStep(std::vector<double>& step) const {
        const std::size_t size = x_.size();
        std::vector<double> rest = gradient_, scaled(size), direction(size), product(size);
        std::fill(step.begin(), step.end(), 0.0);
        const auto dot = [](const auto& a, const auto& b) {
            return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
        };
        // Precise enough for the quadratic convergence of the last steps.
        const double goal = 1e-12 * dot(rest, rest);
        double before = 0;
        for (std::size_t iteration = 0; iteration < 2 * size + 20 && dot(rest, rest) > goal; ++iteration) {
            for (std::size_t i = 0; i < size; ++i) scaled[i] = rest[i] / diagonal_[i];
            const double now = dot(rest, scaled), keep = iteration == 0 ? 0 : now / before;
            before = now;
            for (std::size_t i = 0; i < size; ++i) direction[i] = scaled[i] + keep * direction[i];
            multiply(direction, product);
            const double along = now / dot(direction, product);
            for (std::size_t i = 0; i < size; ++i) {
                step[i] += along * direction[i];
                rest[i] -= along * product[i];
            }
        }
    }

    // The variance of a strength minus the mean of all strengths: the prior would otherwise add the
    // uncertainty of that mean.
    std::vector<double> deviations() const {
        InformationMatrix matrix(x_.size());
        for (std::size_t i = 0; i < x_.size(); ++i) matrix.add(i, i, diagonal_[i]);
        for (std::size_t i = 0; i < games_.size(); ++i) {
            matrix.add(games_[i].a, games_[i].b, curvature_[i].ab);
            if (!has_draws_) continue;
            matrix.add(games_[i].a, players_, curvature_[i].ad);
            matrix.add(games_[i].b, players_, curvature_[i].bd);
        }
        const InformationMatrix::Inverse inverse = std::move(matrix).invert(players_);
        SEEDBED_CHECK(!inverse.diagonal.empty(), "the information matrix has a prior");
        const auto count = static_cast<double>(players_);
        const double all =
            std::accumulate(inverse.times_ones.begin(),
                            inverse.times_ones.begin() + static_cast<std::ptrdiff_t>(players_), 0.0);
        std::vector<double> deviations(players_);
        for (std::size_t i = 0; i < players_; ++i)
            deviations[i] = std::sqrt(std::max(
                0.0, inverse.diagonal[i] - 2 * inverse.times_ones[i] / count + all / (count * count)));
        return deviations;
    }

    void fill(Ratings& ratings) const {
        ratings.draw_ratio = drawRatio(x_);
        ratings.players.resize(players_);
        if (players_ == 0) return;
        const double mean =
            std::accumulate(x_.begin(), x_.begin() + static_cast<std::ptrdiff_t>(players_), 0.0) /
            static_cast<double>(players_);
        const std::vector<double> deviation = deviations();
        for (std::size_t i = 0; i < players_; ++i) {
            Rating& rating = ratings.players[i];
            rating.points = kPoints * (x_[i] - mean);
            rating.low = rating.points - kNormal95 * kPoints * deviation[i];
            rating.high = rating.points + kNormal95 * kPoints * deviation[i];
        }
        for (const PairGames& pair : games_) {
            ratings.players[pair.a].games += pair.games();
            ratings.players[pair.b].games += pair.games();
        }
    }

    std::size_t players_;
    std::span<const PairGames> games_;
    bool has_draws_ = false;
    std::vector<double> x_, gradient_, diagonal_;
    std::vector<Curvature> curvature_;
};

}  // namespace

Result<Ratings> fitRatings(std::size_t players, std::span<const PairGames> games) {
    for (const PairGames& pair : games) {
        if (pair.a >= players || pair.b >= players || pair.a == pair.b)
            return fail(ErrorCode::config, "games of players " + std::to_string(pair.a) + " and " +
                                               std::to_string(pair.b) + ", but there are " +
                                               std::to_string(players));
        for (const double count : {pair.wins, pair.draws, pair.losses})
            if (!std::isfinite(count) || count < 0)
                return fail(ErrorCode::config, "a number of games is negative or not finite");
    }
    return Fit(players, games).solve();
}

double expectedScore(double points, double draw_ratio) {
    const Chances chance = Chances::of(points / kPoints, draw_ratio);
    return chance.win + 0.5 * chance.draw;
}

}  // namespace seedbed
