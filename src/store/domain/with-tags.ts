/** The part of a domain store that is about tags, passed on to the store of tags. */
import type { TagStore } from './tag-store.ts';

export abstract class WithTags implements TagStore {
  protected abstract readonly tags: TagStore;

  changeTags(...given: Parameters<TagStore['changeTags']>) {
    return this.tags.changeTags(...given);
  }

  tagsOf(...given: Parameters<TagStore['tagsOf']>) {
    return this.tags.tagsOf(...given);
  }

  listTags(...given: Parameters<TagStore['listTags']>) {
    return this.tags.listTags(...given);
  }

  averageRisksOfTags(...given: Parameters<TagStore['averageRisksOfTags']>) {
    return this.tags.averageRisksOfTags(...given);
  }

  changeTag(...given: Parameters<TagStore['changeTag']>) {
    return this.tags.changeTag(...given);
  }

  deleteTag(...given: Parameters<TagStore['deleteTag']>) {
    return this.tags.deleteTag(...given);
  }

  listTaggedDomains(...given: Parameters<TagStore['listTaggedDomains']>) {
    return this.tags.listTaggedDomains(...given);
  }

  listTagOverlap(...given: Parameters<TagStore['listTagOverlap']>) {
    return this.tags.listTagOverlap(...given);
  }

  sweepTags(...given: Parameters<TagStore['sweepTags']>) {
    return this.tags.sweepTags(...given);
  }
}
