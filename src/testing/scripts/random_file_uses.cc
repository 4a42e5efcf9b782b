#include "testing/scripts/random_file_uses.h"

#include <vector>

namespace mazurka {
namespace {

using enum FileUsage;

class FileUseMaker {
 public:
  FileUseMaker(const FilesToUse& files, const FileToLock& open, Dice& dice)
      : files_(files), open_(open), dice_(dice) {}

  std::vector<OpPart> make() {
    if (dice_.one_in(4)) {
      any();
    } else if (dice_.one_in(3)) {
      by_description();
    } else {
      by_name();
    }
    return parts_;
  }

 private:
  void add(FileUsage usage, ObjectId object) { parts_.push_back(used(object, usage)); }

  void by_name() {
    const uint32_t f = dice_.below(2);
    const ObjectId name = files_.names[f];
    const ObjectId other = files_.names[1 - f];
    switch (dice_.below(9)) {
      case 0:
        add(LooksUp, files_.directory);
        return add(Lists, files_.directory);
      case 1:
        add(Lists, files_.directory);
        return add(Removes, files_.directory);
      case 2:
        return add(Makes, files_.directory);
      case 3:
        change_entries();
        add(WritesDataBehind, name);
        return add(Makes, name);
      case 4:
        change_entries();
        add(ChangesLinksBehind, name);
        return add(Removes, name);
      case 5:
        change_entries();
        add(ChangesLinksBehind, other);
        add(Removes, name);
        return add(Replaces, other);
      case 6:
        change_entries();
        add(LooksUp, name);
        add(ChangesLinksBehind, name);
        return add(Makes, other);
      case 7:
        add(LooksUp, name);
        add(ReadsDataBehind, name);
        return add(ReadsLinksBehind, name);
      default:
        return add(LooksUp, name);
    }
  }

  void change_entries() {
    add(LooksUp, files_.directory);
    add(ChangesEntries, files_.directory);
  }

  void by_description() {
    add(dice_.one_in(2) ? MovesOffset : UsesDescription, open_.descriptions[dice_.below(2)]);
    add(dice_.one_in(2) ? ReadsData : WritesData, files_.data[dice_.below(2)]);
  }

  // Up to three parts of any kind, as no call has them.
  void any() {
    for (uint32_t left = 1 + dice_.below(3); left > 0; --left) {
      const auto usage =
          static_cast<FileUsage>(dice_.below(static_cast<uint32_t>(ChangesLinksBehind) + 1));
      add(usage, object_for(usage));
    }
  }
  ObjectId object_for(FileUsage usage) {
    const uint32_t which = dice_.below(2);
    if (usage == MovesOffset || usage == UsesDescription) return open_.descriptions[which];
    if (usage >= ReadsData && usage <= ChangesLinks) return files_.data[which];
    return dice_.one_in(3) ? files_.directory : files_.names[which];
  }

  const FilesToUse& files_;
  const FileToLock& open_;
  Dice& dice_;
  std::vector<OpPart> parts_;
};

}  // namespace

FilesToUse add_files(Script& script, Dice& dice) {
  FilesToUse made;
  made.directory = script.add({.kind = ObjectKind::FileName, .value = dice.one_in(4) ? 0 : 1});
  for (uint32_t i = 0; i < 2; ++i) {
    made.data[i] = script.add({.kind = ObjectKind::FileData});
    made.names[i] =
        script.add({.kind = ObjectKind::FileName, .value = dice.below(2), .reads = made.data[i]});
  }
  return made;
}

Operation random_file_use(Script& script, const FilesToUse& files, const FileToLock& open,
                          Dice& dice) {
  const std::vector<OpPart> parts = FileUseMaker(files, open, dice).make();
  return script.with_parts({.kind = OpKind::FileUse, .object = parts.back().object}, parts);
}

}  // namespace mazurka
