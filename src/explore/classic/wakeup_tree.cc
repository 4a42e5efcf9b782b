#include "explore/classic/wakeup_tree.h"

#include <algorithm>

namespace mazurka {
namespace {

bool are_dependent(const Label& a, const Label& b, bool all_dependent) {
  return all_dependent || a.choice.thread == b.choice.thread || a.touches_everything ||
         b.touches_everything ||
         conflict(a.accesses.data(), static_cast<uint32_t>(a.accesses.size()), b.accesses.data(),
                  static_cast<uint32_t>(b.accesses.size()));
}

// Whether the sequence, or something after it, can begin with the transition: its weak initials.
// `place`: where the transition is in it; its size if it is not.
bool is_weak_initial(const Label& label, const std::vector<WakeupStep>& sequence,
                     bool all_dependent, size_t& place) {
  for (place = 0; place < sequence.size(); ++place) {
    const Label& other = sequence[place].label;
    if (other.choice.thread == label.choice.thread) return other.choice == label.choice;
    if (are_dependent(label, other, all_dependent)) return false;
  }
  return true;
}

}  // namespace

uint32_t WakeupTree::take_pending() {
  const uint32_t leaf = pending_.back();
  pending_.pop_back();
  nodes_[leaf].is_pending = false;
  nodes_[leaf].was_leaf = true;
  nodes_[leaf].done = 1;
  if (leaf != kRoot) update_done(nodes_[leaf].parent);
  return leaf;
}

void WakeupTree::update_done(uint32_t node) {
  for (;; node = nodes_[node].parent) {
    double sum = 0;
    for (uint32_t child : nodes_[node].children) sum += nodes_[child].done;
    nodes_[node].done = sum / static_cast<double>(nodes_[node].children.size());
    if (node == kRoot) return;
  }
}

std::vector<uint32_t> WakeupTree::path_to(uint32_t node) const {
  std::vector<uint32_t> path;
  for (; node != kRoot; node = nodes_[node].parent) path.push_back(node);
  std::reverse(path.begin(), path.end());
  return path;
}

uint32_t WakeupTree::append(uint32_t node, WakeupStep step) {
  const uint32_t made = add(node, std::move(step));
  nodes_[made].done = 1;
  return made;
}

uint32_t WakeupTree::add(uint32_t node, WakeupStep step) {
  const auto made = static_cast<uint32_t>(nodes_.size());
  nodes_.emplace_back();
  nodes_.back().step = std::move(step);
  nodes_.back().parent = node;
  nodes_[node].children.push_back(made);
  return made;
}

// Transitions that were explored before, and that nothing on the way to the node depends on.
std::vector<uint32_t> WakeupTree::sleep_at(uint32_t node, bool all_dependent) const {
  std::vector<uint32_t> asleep;
  for (uint32_t next : path_to(node)) {
    for (uint32_t sibling : nodes_[nodes_[next].parent].children) {
      if (sibling == next) break;
      asleep.push_back(sibling);
    }
    std::erase_if(asleep, [&](uint32_t sleeping) {
      return are_dependent(nodes_[sleeping].step.label, nodes_[next].step.label, all_dependent);
    });
  }
  return asleep;
}

void WakeupTree::insert(uint32_t node, std::vector<WakeupStep> sequence, bool all_dependent) {
  size_t place = 0;
  for (uint32_t sleeping : sleep_at(node, all_dependent)) {
    if (is_weak_initial(nodes_[sleeping].step.label, sequence, all_dependent, place)) return;
  }
  auto known = static_cast<uint32_t>(path_to(node).size());
  while (true) {
    if (sequence.empty()) return;
    const std::vector<uint32_t>& children = nodes_[node].children;
    const auto found = std::find_if(children.begin(), children.end(), [&](uint32_t child) {
      return is_weak_initial(nodes_[child].step.label, sequence, all_dependent, place);
    });
    if (found == children.end()) break;
    if (place < sequence.size()) sequence.erase(sequence.begin() + static_cast<ptrdiff_t>(place));
    node = *found;
    ++known;
    if (nodes_[node].is_pending || nodes_[node].was_leaf) return;
  }
  const uint32_t branching = node;
  for (WakeupStep& step : sequence) node = add(node, std::move(step));
  update_done(branching);
  nodes_[node].is_pending = true;
  nodes_[node].known = known;
  pending_.push_back(node);
}

// --- saving

void WakeupTree::save(ByteWriter& out) const {
  out.put(static_cast<uint64_t>(nodes_.size()));
  for (const Node& node : nodes_) {
    out.put(node.parent);
    out.put(node.step.label.choice);
    out.put_all(node.step.label.accesses);
    out.put(node.step.label.touches_everything);
    out.put(node.step.step);
    out.put(node.known);
    out.put(node.done);
    out.put(node.is_pending);
    out.put(node.was_leaf);
  }
  out.put_all(pending_);
}

// Children have larger numbers than their parents, and come in the order of their numbers.
void WakeupTree::restore(ByteReader& in) {
  nodes_.clear();
  for (uint64_t i = in.get_count(sizeof(PlannedStep)); i > 0 && in.ok(); --i) restore_node(in);
  pending_ = in.get_all<uint32_t>();
  const bool is_whole =
      !nodes_.empty() && std::all_of(pending_.begin(), pending_.end(), [&](uint32_t leaf) {
        return leaf < nodes_.size() && nodes_[leaf].is_pending;
      });
  if (in.ok() && is_whole) return;
  in.fail();
  *this = WakeupTree();
}

void WakeupTree::restore_node(ByteReader& in) {
  const auto number = static_cast<uint32_t>(nodes_.size());
  Node& node = nodes_.emplace_back();
  node.parent = in.get<uint32_t>();
  node.step.label.choice = in.get<Choice>();
  node.step.label.accesses = in.get_all<Access>();
  node.step.label.touches_everything = in.get<bool>();
  node.step.step = in.get<PlannedStep>();
  node.known = in.get<uint32_t>();
  node.done = in.get<double>();
  node.is_pending = in.get<bool>();
  node.was_leaf = in.get<bool>();
  if (number == kRoot) return;
  if (node.parent >= number) return in.fail();
  nodes_[node.parent].children.push_back(number);
}

}  // namespace mazurka
